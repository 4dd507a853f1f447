import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { copyLinkInBrowser, openOrServe, serve, startBrowser, type Served } from './support/browser.ts';
import { settled } from './support/frames.ts';
import { outrank, run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { Scratch, synth } from './support/places.ts';
import { countDiffering } from './support/same-place.ts';

/** The lock screen's story in the timeline of a browser, with real keys and a real pointer. */
const scratch = new Scratch();
const trace = scratch.path('lock-screen.etl');
const PANEL = `-- @title Runs of the lock screen
-- @description When the lock screen ran.
-- @draw table
SELECT r.ts, r.dur, t.process_name AS name
FROM etw_run AS r JOIN etw_thread AS t USING (utid)
WHERE t.process_name = 'LockApp.exe'
ORDER BY r.ts;
`;
const LONG = { timeout: 200_000 };
/** Where a track's names end and its time begins, and how wide both margins are, in px. */
const [NAMES_PX, MARGINS_PX] = [236, 248];
let served: Served;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  expect((await run(synth, ['lock-screen', '-o', trace])).code).toBe(0);
  served = await serve(scratch.path('cache'), trace);
  browser = await startBrowser();
  context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // Rules run once: then every page has their flags at once.
  const page = await context.newPage();
  await page.goto(served.url);
  await page.getByText(/found by \d+ rules/).waitFor({ timeout: OPENED_LIMIT_MS });
  await page.close();
}, LONG.timeout);
afterAll(async () => {
  await browser.close();
  await served.end();
  scratch.remove();
});

/** Opens the timeline at a place, and waits until causes are judged. */
async function openTimeline(place: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(OPENED_LIMIT_MS);
  watchErrors(page);
  await page.goto(served.url);
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button').first().waitFor();
  await page.evaluate((hash) => (location.hash = hash), place);
  await allDrawn(page);
  return page;
}

/** Waits until the timeline has all its detail. */
async function allDrawn(page: Page): Promise<void> {
  await page
    .getByText('Of this time:')
    .waitFor()
    .catch(async (cause: unknown) => {
      const shown = await page.locator('.view-page').innerText();
      throw new Error(`the timeline tells no causes at ${page.url()}:\n${shown}`, { cause });
    });
  await settled(page, 'Timeline');
  await page.locator('.timeline-tracks[aria-busy=false]').waitFor();
}

const said = async (page: Page) => (await page.locator('.timeline > [aria-live]').textContent()) ?? '';
const tracks = (page: Page) => page.locator('.timeline-tracks .lane-scroll');
const params = (page: Page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

/** Goes to a track with the arrow keys. */
async function goToTrack(page: Page, name: string): Promise<void> {
  await tracks(page).focus();
  for (let press = 0; press < 10; press++) await page.keyboard.press('PageUp');
  for (let press = 0; !(await said(page)).startsWith(name); press++) {
    if (press > 60) throw new Error(`the timeline has no track ${name}`);
    await page.keyboard.press('ArrowDown');
  }
}

/** The picture of the tracks and of what is chosen, when the pointer is nowhere and no track is pointed to. */
async function picture(page: Page): Promise<Buffer> {
  await allDrawn(page);
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.waitForTimeout(500);
  return page.locator('.timeline').screenshot();
}

/** Where in the plot a place lies: a row of ordinary tracks, and a part of the time in view. */
async function pointAt(page: Page, row: number, part: number): Promise<readonly [number, number]> {
  const box = await page.locator('.timeline-tracks .plot').boundingBox();
  if (box === null) throw new Error('the timeline has no place');
  return [box.x + NAMES_PX + (box.width - MARGINS_PX) * part, box.y + 22 + row * 20 + 8];
}

test(
  'a link shows the same tracks, pins, heights, lines, zoom and choice on another page, and so does a bundle',
  LONG,
  async () => {
    const page = await openTimeline('view=timeline&p.pinned=t10704&p.order=cpu');
    await goToTrack(page, 'Lock screen UI');
    await page.keyboard.press('h');
    await allDrawn(page);
    await page.getByLabel('Lines').selectOption('rank');
    await allDrawn(page);
    await page.mouse.click(...(await pointAt(page, 1, 0.67)));
    await page.getByText('LockApp.exe (tid 10704, Lock screen UI): ready: rank').first().waitFor();
    for (let press = 0; press < 3; press++) await page.keyboard.press('d');
    await page.keyboard.press('s');
    await page.keyboard.press('w');
    await page.keyboard.press('w');
    const wanted = await picture(page);
    const place = Object.fromEntries(params(page));
    expect(place).toMatchObject({
      'p.pinned': 't10704',
      'p.tall': 't10704',
      'p.lines': 'rank',
      'p.order': 'cpu',
    });
    const link = await copyLinkInBrowser(page);
    const other = await openTimeline(link.slice(link.indexOf('#') + 1));
    expect(await countDiffering(other, [await picture(other)], [wanted])).toBe(0);

    const bundle = scratch.path('story.outrank');
    const packed = ['bundle', trace, '-o', bundle, '--state', link, '--yes'];
    expect((await outrank(scratch.path('cache'), ...packed)).code).toBe(0);
    const opened = await openOrServe(scratch.path('cache'), bundle);
    const theirs = await context.newPage();
    await theirs.goto(opened.url);
    expect(await countDiffering(theirs, [await picture(theirs)], [wanted])).toBe(0);
    await theirs.close();
    await opened.end();

    const panel = scratch.path('mine.panel.sql');
    writeFileSync(panel, PANEL);
    const drawn = await outrank(
      scratch.path('cache'),
      ...[
        'view',
        'timeline',
        trace,
        '--panel',
        panel,
        '--param',
        'pinned=t10704 panel-mine',
        '--param',
        'tall=t10704',
      ],
      ...['--param', 'lines=rank', '--param', 'rows=3', '--from', '20s', '--to', '52s', '--format', 'svg'],
    );
    expect(drawn.code).toBe(0);
    expect(drawn.stdout).toContain('line: rank, 0 at the foot');
    expect(drawn.stdout).toContain('Runs of the lock screen, 17');
    await Promise.all([page.close(), other.close()]);
  },
);

test(
  'a picture is saved as it is shown, and rules run once however often tracks are drawn anew',
  LONG,
  async () => {
    const page = await context.newPage();
    page.setDefaultTimeout(OPENED_LIMIT_MS);
    const asked: string[] = [];
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        if (payload.toString().includes('findings')) asked.push(payload.toString());
      }),
    );
    await page.goto(served.url);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button').first().waitFor();
    await page.evaluate(() => (location.hash = 'view=timeline&p.pinned=t10704'));
    await allDrawn(page);
    await page.mouse.click(...(await pointAt(page, 0, 0.67)));
    expect(asked).not.toEqual([]);
    asked.length = 0;
    for (const key of ['h', 'o', 'h']) {
      await page.keyboard.press(key);
      await allDrawn(page);
    }
    expect(asked).toEqual([]);
    await page.mouse.click(...(await pointAt(page, 0, 0.67)));
    const saved = async (format: string) => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: `Save ${format}` }).click();
      return readFileSync(await (await download).path());
    };
    const svg = (await saved('SVG')).toString();
    const texts = ['Lock screen UI, tid 10704', 'Findings, 1', 'ready: rank'];
    expect(texts.filter((text) => svg.includes(text))).toEqual(texts);
    expect((await saved('PNG')).subarray(1, 4).toString()).toBe('PNG');
    await page.close();
  },
);

test('a link shows the tables of a range again, and what these cover', LONG, async () => {
  const page = await openTimeline('view=timeline');
  const [from, y] = await pointAt(page, 3, 0.3);
  const [to] = await pointAt(page, 3, 0.6);
  await page.mouse.move(from, y);
  await page.mouse.down();
  await page.mouse.move(to, y, { steps: 4 });
  await page.mouse.up();
  await page.getByText('The tables cover all threads.').first().waitFor();
  const wanted = await picture(page);
  const other = await openTimeline(new URL(page.url()).hash.slice(1));
  expect(await countDiffering(other, [await picture(other)], [wanted])).toBe(0);
  await Promise.all([page.close(), other.close()]);
});

test('the chain of wakes pins what has no track, says where it ends, and leads back', LONG, async () => {
  const page = await openTimeline('view=timeline&p.open=p10444');
  await page.keyboard.press('[');
  expect(await said(page)).toBe('Choose what a thread did first.');
  await goToTrack(page, 'Lock screen UI');
  await page.keyboard.press('Enter');
  const chosen = page.locator('.timeline-chosen h2');
  await chosen.filter({ hasText: 'Lock screen UI): ' }).waitFor();
  for (let step = 0; step < 30 && !(await chosen.innerText()).includes('ready: rank'); step++) {
    await page.keyboard.press('.');
    await page.waitForTimeout(150);
  }
  await page.keyboard.press('[');
  await chosen.filter({ hasText: 'System (tid 10712): ran on CPU' }).waitFor();
  await expect.poll(() => said(page)).toMatch(/^The track of System \(tid 10712\) is pinned now/);
  await expect.poll(() => params(page).get('p.pinned')).toBe('t10712');
  await expect.poll(() => page.locator('.timeline-tracks svg .wake').count()).toBe(1);
  await page.getByText('one thread', { exact: true }).waitFor();
  await page.keyboard.press('[');
  await expect.poll(() => said(page)).toBe('No thread to go to: woken by a DPC.');
  await page.keyboard.press(']');
  await chosen.filter({ hasText: 'Lock screen UI): ready: rank' }).waitFor();
  await page.keyboard.press('m');
  await page.locator('.time-bar').getByText('30.333123 s').first().waitFor();
  await page.close();
});

test('a double click fits what lies there, again shows all', LONG, async () => {
  const page = await openTimeline('view=timeline&p.pinned=t10704');
  const point = await pointAt(page, 0, 0.67);
  await page.mouse.dblclick(...point);
  await page.waitForURL(/range=/);
  const [start = 0, end = 0] = params(page).get('range')?.split('-').map(Number) ?? [];
  // The wait lasts 19.493 s; a margin is at each side.
  expect((end - start) / 1e9).toBeCloseTo(19.493 * 1.2, 0);
  await allDrawn(page);
  await page.mouse.dblclick(...(await pointAt(page, 0, 0.5)));
  await expect.poll(() => params(page).get('range')).toBeNull();
  await page.close();
});

test(
  'the tooltip of a pointer at rest follows the track and the time that scroll and zoom bring under it',
  LONG,
  async () => {
    const page = await openTimeline('view=timeline');
    const told = page.locator('.timeline .tooltip:visible p');
    const row = 15;
    await page.mouse.move(...(await pointAt(page, row, 0.3)));
    await told.first().waitFor();
    const before = await told.allInnerTexts();
    await page.mouse.wheel(0, 100);
    await expect.poll(() => told.first().innerText()).not.toBe(before[0]);
    await page.mouse.wheel(0, -100);
    await expect.poll(() => told.allInnerTexts()).toEqual(before);
    await page.keyboard.press('w');
    await expect.poll(async () => (await told.allInnerTexts())[1] ?? before[1]).not.toBe(before[1]);
    await page.close();
  },
);
