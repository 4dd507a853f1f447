import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { openOrServe, serve, serveWithin, startBrowser, type Served } from './support/browser.ts';
import { run } from './support/outrank.ts';
import { dropFile, untilShown } from './support/page.ts';
import { demo, Scratch, synth } from './support/places.ts';
import { ask } from './support/query-story.ts';
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

test('a trace that the engine cannot hold is offered in parts', async () => {
  served = await serveWithin(30_000_000, cache, demo.trace);
  await page.goto(served.url);
  await untilShown(page);
  await page.getByRole('button', { name: 'Query', exact: true }).click();
  await ask(page, 'SELECT count(*) FROM sched');
  await page.getByRole('button', { name: 'Choose a part' }).click();
  const question = page.getByText(/takes about \d+(\.\d)? \wi?B in the engine, which holds about/);
  await question.waitFor({ timeout: 60_000 });
  const button = page.getByRole('button', { name: 'Open this part' });
  await page.getByLabel('To', { exact: false }).first().fill('60');
  await page.keyboard.press('Tab');
  expect(await button.isDisabled()).toBe(true);
  await page.getByLabel('From', { exact: false }).first().fill('45');
  await page.keyboard.press('Tab');
  expect(await page.getByRole('status').innerText()).toMatch(/^This part takes about [\d.]+ \w+\.$/);
  await button.click();
  await page.getByRole('button', { name: 'Ready latency', exact: true }).click();
  await untilShown(page);
  // The wait of 19.5 s ends in the part, and began before it.
  expect(await page.getByText(/19\.49\d? s/).count()).toBeGreaterThan(0);
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

test('a view that loads for long does not show the picture of another one', async () => {
  served = await serve(cache, demo.trace);
  const held: (() => void)[] = [];
  let holds = false;
  await page.routeWebSocket(/\/socket$/, (socket) => {
    socket.connectToServer().onMessage((message) => {
      if (holds) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await page.goto(served.url);
  await untilShown(page);
  const look = page.locator('.view-canvas');
  const opacity = () => look.evaluate((element) => getComputedStyle(element).opacity);
  expect(await opacity()).toBe('1');
  holds = true;
  await page.getByRole('button', { name: 'Blame', exact: true }).click();
  await expect.poll(opacity).toBe('0');
  holds = false;
  for (const send of held) send();
  await page.getByText('Waits of others, against CPU time').waitFor();
  await expect.poll(opacity).toBe('1');
});
