import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, startBrowser } from './support/browser.ts';
import { startDesktop } from './support/desktop.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { picture, Scratch, synth } from './support/places.ts';

const scratch = new Scratch();
const trace = scratch.path('minimal.etl');
beforeAll(async () => {
  expect((await run(synth, ['minimal', '-o', trace])).code).toBe(0);
});
afterAll(() => scratch.remove());

/** A rule of the user's that finds a process; `select` has `:threshold` in it. */
function rule(title: string, select: string): string {
  return `-- @title ${title}
-- @means A process is there.
-- @matters It should not be.
-- @lost Nothing.
-- @threshold 1 process: our own
-- @needs etw_process: the kernel flag PROC_THREAD
-- @sentence {process} <img src=x onerror=alert(1)> is there.
-- @proof processes
${select}`;
}

const SELECT = `SELECT start_ts AS ts, end_ts - start_ts AS dur, NULL AS utid, p.upid, 1e6 AS seconds_lost
FROM etw_trace JOIN etw_process AS p
WHERE p.name = 'LockApp.exe' AND :threshold = 1`;

test('in Chromium: a rule of the user’s is run, followed on disk, named where it is wrong, and ended where it is endless', async () => {
  const cache = scratch.path('browser');
  const rules = join(`${cache}-config`, 'outrank', 'rules');
  mkdirSync(rules, { recursive: true });
  writeFileSync(join(rules, 'lock-app.sql'), rule('Lock app there', SELECT));
  const browser = await startBrowser();
  const served = await serve(cache, trace);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const errors = watchErrors(page);
    await page.goto(served.url);
    const findings = page.locator('.findings');
    const found = findings.getByRole('button').first();
    await found.getByText('Lock app there').waitFor({ timeout: OPENED_LIMIT_MS });
    expect(await found.textContent()).toContain('<img src=x onerror=alert(1)> is there.');
    expect(await page.locator('main img').count()).toBe(0);
    await page.screenshot({ path: picture('own-rule-browser') });

    writeFileSync(join(rules, 'lock-app.sql'), rule('Lock app there', SELECT.replace('p.name', 'p.nam')));
    await findings
      .getByText('lock-app.sql, line 11: no such column: p.nam')
      .waitFor({ timeout: OPENED_LIMIT_MS });
    expect(await findings.getByText('Lock app there').count()).toBe(0);
    await page.screenshot({ path: picture('own-rule-wrong-browser') });

    const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)\n${SELECT} + (SELECT max(i) FROM n)`;
    writeFileSync(join(rules, 'lock-app.sql'), rule('Endless', endless));
    await findings
      .getByText(/^lock-app\.sql: it ran for more than 30 s and was ended/)
      .waitFor({ timeout: OPENED_LIMIT_MS });

    writeFileSync(join(rules, 'lock-app.sql'), rule('Lock app here', SELECT));
    await found.getByText('Lock app here').waitFor({ timeout: OPENED_LIMIT_MS });
    await found.click();
    await page.locator('.view-heading h2').getByText('Processes', { exact: true }).waitFor();
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    await served.end();
  }
});

test('in Electron: a rule of the user’s is run', async () => {
  const rules = scratch.path(join('config', 'outrank', 'rules'));
  mkdirSync(rules, { recursive: true });
  writeFileSync(join(rules, 'lock-app.sql'), rule('Lock app there', SELECT));
  const { app, page } = await startDesktop(scratch, trace);
  try {
    const findings = page.locator('.findings');
    await findings
      .getByRole('button')
      .first()
      .getByText('Lock app there')
      .waitFor({ timeout: OPENED_LIMIT_MS });
  } finally {
    await app.close();
  }
});
