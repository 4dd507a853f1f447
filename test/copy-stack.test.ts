import { afterAll, beforeAll, expect, test } from 'vitest';
import * as v from 'valibot';
import type { Page } from 'playwright-core';
import { serve, startBrowser } from './support/browser.ts';
import { startDesktop } from './support/desktop.ts';
import { openByPalette } from './support/keyboard.ts';
import { outrank, run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { picture, Scratch, synth } from './support/places.ts';

interface Frame {
  readonly label: string;
  readonly samples: number;
  readonly children: readonly Frame[];
}
const Frame: v.GenericSchema<Frame> = v.object({
  label: v.string(),
  samples: v.number(),
  children: v.array(v.lazy(() => Frame)),
});

const scratch = new Scratch();
const trace = scratch.path('hot-loop.etl');
const cache = scratch.path('cache');
/** The frames that have most samples each, from the process on. */
let hottest: readonly Frame[] = [];
beforeAll(async () => {
  expect((await run(synth, ['hot-loop', '-o', trace])).code).toBe(0);
  const { stdout } = await outrank(cache, 'view', 'cpu-sampled', trace, '--format', 'json');
  const { root } = v.parse(v.object({ root: Frame }), JSON.parse(stdout));
  const path: Frame[] = [];
  for (let at = root.children[0]; at !== undefined; at = at.children[0]) path.push(at);
  // The innermost ones are too narrow for their names.
  hottest = path.slice(0, -1);
});
afterAll(() => scratch.remove());

test('a stack is copied by key and by button, in Chromium', async () => {
  const browser = await startBrowser();
  const served = await serve(cache, trace);
  try {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(served.url);
    await tellCopies(page, () => page.evaluate(() => navigator.clipboard.readText()), 'browser');
  } finally {
    await browser.close();
    await served.end();
  }
});

test('a page that may not use the clipboard, as one over plain http, says so', async () => {
  const browser = await startBrowser();
  const served = await serve(cache, trace);
  try {
    const page = await browser.newPage();
    const errors = watchErrors(page);
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'clipboard'));
    await page.goto(served.url);
    await page.locator('.view-area[aria-busy=false] .view-page').waitFor({ timeout: OPENED_LIMIT_MS });
    await openByPalette(page, 'CPU usage, sampled', 'CPU usage, sampled');
    const callers = page
      .locator('.panel')
      .filter({ has: page.getByRole('heading', { name: /^Callers of/ }) });
    await callers.getByRole('button', { name: 'Copy stack' }).click();
    const reason = 'the clipboard is closed to this page';
    await callers.getByRole('button', { name: `Not copied: ${reason}` }).waitFor();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('The link was not copied').waitFor();
    await page.getByText(reason, { exact: true }).waitFor();
    await page.getByText('Shift C shows the link, to be copied by hand').waitFor();
    await page.screenshot({ path: picture('browser-not-copied') });
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    await served.end();
  }
});

test('a stack is copied by key and by button, in Electron', async () => {
  const { app, page } = await startDesktop(scratch, trace);
  try {
    await tellCopies(page, () => app.evaluate(({ clipboard }) => clipboard.readText()), 'desktop');
  } finally {
    await app.close();
  }
});

/** Chooses the hottest frame, copies its stack, then that of its caller, and at last that of a function in the table. */
async function tellCopies(page: Page, copied: () => Promise<string>, door: string): Promise<void> {
  const errors = watchErrors(page);
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor({ timeout: OPENED_LIMIT_MS });
  await openByPalette(page, 'CPU usage, sampled', 'CPU usage, sampled');
  const panelOf = (title: RegExp) =>
    page.locator('.panel').filter({ has: page.getByRole('heading', { name: title }) });
  const flame = panelOf(/^Icicle/);
  const button = flame.getByRole('button');
  await flame.waitFor();
  expect(await button.isDisabled()).toBe(true);
  const frames = async () => (await copied()).split('\n').slice(1);
  const labels = hottest.map(({ label }) => label);

  const last = labels.at(-1) ?? '';
  const box = await flame.locator('svg text', { hasText: last }).first().boundingBox();
  await page.mouse.click((box?.x ?? 0) + 4, (box?.y ?? 0) + 4);
  await page.waitForFunction(() => location.hash.includes('p.zoom='));
  await expect.poll(() => button.isDisabled()).toBe(false);
  await page.keyboard.press('ControlOrMeta+C');
  await expect.poll(frames).toEqual(labels);
  const [sums = ''] = (await copied()).split('\n');
  expect(sums).toContain(`${(hottest.at(-1)?.samples ?? 0).toLocaleString('en-US')} samples (`);
  await button.getByText('Copied').waitFor();
  await page.screenshot({ path: picture(`${door}-copied-stack`) });

  await page.keyboard.press('ArrowUp');
  // What the arrow keys moved to is named, as under the pointer.
  const caller = hottest.at(-2)?.label ?? '';
  await expect.poll(() => flame.locator('.tooltip p').first().innerText()).toBe(caller);
  await button.getByText('Copy stack').click();
  await expect.poll(frames).toEqual(labels.slice(0, -1));

  const callers = panelOf(/^Callers of/);
  await callers.getByRole('button', { name: 'Copy stack' }).click();
  await expect.poll(frames).toEqual(labels);
  expect(errors).toEqual([]);
}
