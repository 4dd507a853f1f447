import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from './support/browser.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { picture, Scratch, synth } from './support/places.ts';
import { servePage, type StaticServer } from './support/static-server.ts';

const scratch = new Scratch();
const trace = scratch.path('minimal.etl');
const rule = scratch.path('lock-app.sql');
let browser: Browser;
let server: StaticServer;
beforeAll(async () => {
  expect((await run(synth, ['minimal', '-o', trace])).code).toBe(0);
  writeFileSync(
    rule,
    `-- @title Lock app there
-- @means A process is there.
-- @matters It should not be.
-- @lost Nothing.
-- @threshold 1 process: our own
-- @needs etw_process: the kernel flag PROC_THREAD
-- @sentence {process} is there.
-- @proof processes
SELECT start_ts AS ts, end_ts - start_ts AS dur, NULL AS utid, p.upid, 1e6 AS seconds_lost
FROM etw_trace JOIN etw_process AS p
WHERE p.name = 'LockApp.exe' AND :threshold = 1`,
  );
  browser = await startBrowser();
  server = await servePage();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  scratch.remove();
});

/** Adds a file as a rule, from the first page. */
async function addRule(page: Page, path: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add rules…' }).click(),
  ]);
  await chooser.setFiles(path);
}

test('the page alone runs rules of the user’s own, which the browser keeps', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  const errors = watchErrors(page);
  await page.goto(server.url);
  await addRule(page, trace);
  await page.getByText('minimal.etl: is no rule').waitFor();
  await addRule(page, rule);
  await page.getByRole('button', { name: 'lock-app.sql' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'lock-app.sql' }).waitFor();
  await page.screenshot({ path: picture('web-rules') });
  await page.setInputFiles('input[type=file]', trace);
  await page.locator('.findings').getByText('Lock app there').first().waitFor({ timeout: OPENED_LIMIT_MS });
  await page.getByRole('button', { name: 'Outrank', exact: true }).click();
  await page.getByRole('button', { name: 'lock-app.sql' }).click();
  await page.getByText('Rules of your own look for what you know').waitFor();
  expect(errors).toEqual([]);
  await page.close();
});
