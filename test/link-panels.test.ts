import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { serve, startBrowser, type Served } from './support/browser.ts';
import { OPENED_LIMIT_MS, untilShown, watchErrors } from './support/page.ts';
import { run } from './support/outrank.ts';
import { picture, Scratch, synth } from './support/places.ts';

const PANEL = `-- @title Runs by process
-- @description How long each process ran.
-- @param top number = 10: How many are shown.
-- @draw bars name=process value=ran_ns
SELECT t.process_name AS process, sum(r.dur) AS ran_ns
FROM etw_run AS r JOIN etw_thread AS t USING (utid)
GROUP BY process ORDER BY ran_ns DESC LIMIT :top;
`;

/** Two people, each with a folder of their own; Anna has pinned a panel of hers. */
const [anna, ben] = [new Scratch(), new Scratch()];
const trace = anna.path('minimal.etl');
const settings = (profile: Scratch) => join(profile.path('cache-config'), 'outrank');
beforeAll(async () => {
  expect((await run(synth, ['minimal', '-o', trace])).code).toBe(0);
  const hers = settings(anna);
  for (const folder of ['panels', 'kept']) mkdirSync(join(hers, folder), { recursive: true });
  writeFileSync(join(hers, 'panels', 'runs-by-process.panel.sql'), PANEL);
  writeFileSync(join(hers, 'kept', 'pins.json'), '[{"panel":"runs-by-process","params":{"top":1}}]');
});
afterAll(() => {
  anna.remove();
  ben.remove();
});

const READ = 'I have read it: run it';

test('a pinned panel goes with a link, is read by whom it reaches, and is drawn the same', async () => {
  const browser: Browser = await startBrowser();
  const servers: Served[] = [];
  const open = async (profile: Scratch, fragment = ''): Promise<Page> => {
    const served = await serve(profile.path('cache'), trace);
    servers.push(served);
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 1440, height: 900 },
    });
    const page = await context.newPage();
    await page.goto(served.url + fragment);
    await untilShown(page);
    return page;
  };
  const pinned = (page: Page) => page.getByRole('complementary', { name: 'Pinned panels' });
  const words = (page: Page) => pinned(page).locator('svg text').allTextContents();
  try {
    const theirs = await open(anna);
    await pinned(theirs).getByRole('button', { name: READ }).click();
    await pinned(theirs).locator('svg').first().waitFor({ timeout: OPENED_LIMIT_MS });
    const drawn = await words(theirs);
    await theirs.getByRole('button', { name: 'Copy link' }).click();
    await theirs.getByText(/^Link copied/).waitFor();
    const link = await theirs.evaluate(() => navigator.clipboard.readText());

    const page = await open(ben, link.slice(link.indexOf('#')));
    const errors = watchErrors(page);
    const card = pinned(page).getByRole('region', { name: 'Runs by process' });
    await card.getByText('This panel was not written here and has not run.').waitFor();
    expect(await card.locator('.cm-content').textContent()).toContain('sum(r.dur) AS ran_ns');
    expect(await card.locator('.panel-drawing').count()).toBe(0);
    await page.screenshot({ path: picture('panel-of-link') });
    await card.getByRole('button', { name: READ }).click();
    await card.locator('svg').first().waitFor();
    expect(await words(page)).toEqual(drawn);
    expect(await card.getByLabel('Top').inputValue()).toBe('1');

    // The page may be loaded again: what the link brought is still there.
    await page.reload();
    await card.locator('svg').first().waitFor({ timeout: OPENED_LIMIT_MS });
    expect(await words(page)).toEqual(drawn);
    expect(await card.getByLabel('Top').inputValue()).toBe('1');

    // It is no file of Ben's until he asks for that; then it is, and pinned.
    const saved = join(settings(ben), 'panels');
    expect(existsSync(saved) ? readdirSync(saved) : []).toEqual([]);
    await card.getByRole('button', { name: 'Keep' }).click();
    await expect.poll(() => existsSync(saved) && readdirSync(saved)).toEqual(['runs-by-process.panel.sql']);
    expect(readFileSync(join(saved, 'runs-by-process.panel.sql'), 'utf8')).toBe(PANEL);
    await page.goto('about:blank');
    const again = await open(ben);
    await pinned(again).locator('svg').first().waitFor({ timeout: OPENED_LIMIT_MS });
    expect(await words(again)).toEqual(drawn);
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    for (const served of servers) await served.end();
  }
});
