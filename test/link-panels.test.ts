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

const SWITCHES = `-- @title Switches by CPU
-- @description How often another thread was switched in.
-- @draw bars name=cpu value=switches
SELECT 'CPU ' || cpu AS cpu, count(*) AS switches FROM etw_run GROUP BY etw_run.cpu;
`;
const DASHBOARD = {
  title: 'Who ran where',
  columns: 3,
  panels: [
    { panel: 'switches-by-cpu', params: {}, width: 2 },
    { panel: 'runs-by-process', params: { top: 2 }, width: 1 },
  ],
};
const DASHBOARD_FILE = 'who-ran.dashboard.json';

/** Two people, each with a folder of their own; Anna has pinned a panel of hers, and has a dashboard. */
const [anna, ben] = [new Scratch(), new Scratch()];
const trace = anna.path('minimal.etl');
const settings = (profile: Scratch) => join(profile.path('cache-config'), 'outrank');
beforeAll(async () => {
  expect((await run(synth, ['minimal', '-o', trace])).code).toBe(0);
  const hers = settings(anna);
  for (const folder of ['panels', 'kept']) mkdirSync(join(hers, folder), { recursive: true });
  writeFileSync(join(hers, 'panels', 'runs-by-process.panel.sql'), PANEL);
  writeFileSync(join(hers, 'panels', 'switches-by-cpu.panel.sql'), SWITCHES);
  writeFileSync(join(hers, 'panels', DASHBOARD_FILE), JSON.stringify(DASHBOARD));
  writeFileSync(join(hers, 'kept', 'pins.json'), '[{"panel":"runs-by-process","params":{"top":1}}]');
});
afterAll(() => {
  anna.remove();
  ben.remove();
});

const READ = 'I have read it: run it';
/** The longest that something may take on a busy machine. */
const SLOW = { timeout: OPENED_LIMIT_MS };

test('a pinned panel and a dashboard go with a link, are read by whom it reaches, and are drawn the same', async () => {
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
    await expect.poll(() => words(theirs), SLOW).toContain('app.exe');
    const drawn = await words(theirs);
    const copyLink = async () => {
      await theirs.evaluate(() => navigator.clipboard.writeText(''));
      await theirs.getByRole('button', { name: 'Copy link' }).click();
      const copied = () => theirs.evaluate(() => navigator.clipboard.readText());
      await expect.poll(copied, SLOW).not.toBe('');
      return copied();
    };
    const link = await copyLink();

    const page = await open(ben, link.slice(link.indexOf('#')));
    const errors = watchErrors(page);
    const card = pinned(page).getByRole('region', { name: 'Runs by process' });
    await card.getByText('This panel was not written here and has not run.').waitFor();
    expect(await card.locator('.cm-content').textContent()).toContain('sum(r.dur) AS ran_ns');
    expect(await card.locator('.panel-drawing').count()).toBe(0);
    await page.screenshot({ path: picture('panel-of-link') });
    await card.getByRole('button', { name: READ }).click();
    await card.locator('svg').first().waitFor();
    await expect.poll(() => words(page), SLOW).toEqual(drawn);
    expect(await card.getByLabel('Top').inputValue()).toBe('1');

    // The page may be loaded again: what the link brought is still there.
    await page.reload();
    await card.locator('svg').first().waitFor({ timeout: OPENED_LIMIT_MS });
    await expect.poll(() => words(page), SLOW).toEqual(drawn);
    expect(await card.getByLabel('Top').inputValue()).toBe('1');

    // It is no file of Ben's until he asks for that; then it is, and pinned.
    const saved = join(settings(ben), 'panels');
    expect(existsSync(saved) ? readdirSync(saved) : []).toEqual([]);
    await card.getByRole('button', { name: 'Keep' }).click();
    await expect
      .poll(() => existsSync(saved) && readdirSync(saved), SLOW)
      .toEqual(['runs-by-process.panel.sql']);
    expect(readFileSync(join(saved, 'runs-by-process.panel.sql'), 'utf8')).toBe(PANEL);
    await page.goto('about:blank');
    const again = await open(ben);
    await pinned(again).locator('svg').first().waitFor({ timeout: OPENED_LIMIT_MS });
    await expect.poll(() => words(again), SLOW).toEqual(drawn);

    // A dashboard: the panel that Ben has not read yet waits for him, between those that he has.
    await theirs.getByRole('button', { name: DASHBOARD.title }).click();
    await theirs.locator('.dashboard').getByRole('button', { name: READ }).click();
    const drawings = (of: Page) => of.locator('.dashboard .panel-drawing svg');
    const labels = (of: Page) => drawings(of).locator('text').allTextContents();
    await expect.poll(() => labels(theirs), SLOW).toEqual(expect.arrayContaining(['CPU 1', 'app.exe']));
    const hers = await labels(theirs);
    const fragment = (await copyLink()).replace(/^[^#]*/, '');
    const errorsAgain = watchErrors(again);
    await again.evaluate((hash) => (location.hash = hash), fragment);
    await again.getByText('It came with the link.').waitFor();
    const unread = again.locator('.dashboard').getByRole('region', { name: 'Switches by CPU' });
    await unread.getByText('This panel was not written here and has not run.').waitFor();
    expect(await unread.locator('.panel-drawing').count()).toBe(0);
    expect(await again.getByRole('button', { name: 'Keep', exact: true }).isDisabled()).toBe(true);
    await again.screenshot({ path: picture('dashboard-of-link') });
    await unread.getByRole('button', { name: READ }).click();
    await expect.poll(() => labels(again), SLOW).toEqual(hers);
    await again.reload();
    await expect.poll(() => labels(again), SLOW).toEqual(hers);

    expect(readdirSync(saved)).toEqual(['runs-by-process.panel.sql']);
    await again.getByRole('button', { name: 'Keep', exact: true }).click();
    await again.getByText('It came with the link.').waitFor({ state: 'detached' });
    await expect.poll(() => labels(again), SLOW).toEqual(hers);
    expect(JSON.parse(readFileSync(join(saved, DASHBOARD_FILE), 'utf8'))).toEqual(DASHBOARD);
    expect(readFileSync(join(saved, 'switches-by-cpu.panel.sql'), 'utf8')).toBe(SWITCHES);
    expect([...errors, ...errorsAgain]).toEqual([]);
  } finally {
    await browser.close();
    for (const served of servers) await served.end();
  }
});
