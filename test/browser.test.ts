import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { openOrServe, serve, startBrowser, type Served } from './support/browser.ts';
import { run } from './support/outrank.ts';
import { dropFile, untilShown } from './support/page.ts';
import { demo, Scratch, synth } from './support/places.ts';
import { tellLockScreenStory } from './support/story.ts';

const scratch = new Scratch();
const cache = scratch.path('cache');
const small = scratch.path('minimal.etl');
let browser: Browser;
let page: Page;
let served: Served;
beforeAll(async () => {
  expect((await run(synth, ['minimal', '-o', small])).code).toBe(0);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  scratch.remove();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
});
afterEach(async () => {
  await page.close();
  await served.end();
});

test('a served trace opens on the longest wait', async () => {
  served = await serve(cache, demo.trace);
  await page.goto(served.url);
  await tellLockScreenStory(page, cache, 'browser');
});

test('a dropped file is copied to the server and opened', async () => {
  served = await serve(cache);
  await page.goto(served.url);
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
  await dropFile(page, small);
  await untilShown(page);
});

test('where no window can be shown, outrank open says so in one line and serves the trace', async () => {
  served = await openOrServe(cache, small);
  expect(served.messages).toMatch(/^outrank: no window can be shown \(there is no display\)[^\n]*\n$/);
  await page.goto(served.url);
  await untilShown(page);
});
