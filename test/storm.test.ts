import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { serve, startBrowser } from './support/browser.ts';
import { outrank, run } from './support/outrank.ts';
import { OPENED_LIMIT_MS } from './support/page.ts';
import { Scratch, synth } from './support/places.ts';

const scratch = new Scratch();
const cache = scratch.path('cache');
const recorded = scratch.path('storm.etl');
/** A Perfetto trace has no columns, and its tables are built. */
const converted = scratch.path('storm.pftrace');
let browser: Browser;
beforeAll(async () => {
  const storm = ['switch-storm', '--count', '1100000', '-o', recorded];
  expect((await run(synth, storm)).code).toBe(0);
  expect((await outrank(cache, 'convert', recorded, '-o', converted)).code).toBe(0);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  scratch.remove();
});

/** What the page asks when the tables of runs are to be built. */
const BUILDS_RUNS = 'INCLUDE PERFETTO MODULE etw.run';

/** A page whose engine answers nothing from when tables of runs are to be built until `letGo`, as if that took for ever. */
async function pageThatBuildsNothing() {
  const page = await browser.newPage();
  page.setDefaultTimeout(OPENED_LIMIT_MS);
  let isBuilding = false;
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.routeWebSocket(/\/socket/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      isBuilding ||= message.toString().includes(BUILDS_RUNS);
      if (isBuilding) void held.then(() => server.send(message));
      else server.send(message);
    });
  });
  return { page, builds: () => isBuilding, letGo };
}

async function expectStorm(page: Page): Promise<void> {
  await page.getByText(/^A storm: /).waitFor();
  expect(await page.locator('.view-page').innerText()).toContain('context switches\n1,099,274');
}

test('a storm has its picture, and no table of runs is built', async () => {
  const served = await serve(cache, recorded);
  try {
    const { page, builds } = await pageThatBuildsNothing();
    await page.goto(served.url);
    await page.locator('section.findings').waitFor();
    await page.getByRole('button', { name: 'Context switches' }).click();
    await expectStorm(page);
    expect(builds()).toBe(false);
  } finally {
    await served.end();
  }
});

test('a storm without columns has its picture when its tables are built, wherever one was meanwhile', async () => {
  const served = await serve(cache, converted);
  try {
    const { page, builds, letGo } = await pageThatBuildsNothing();
    await page.goto(served.url);
    await expect.poll(builds, { timeout: OPENED_LIMIT_MS }).toBe(true);
    await page.getByText(/^Building the tables that this view reads: /).waitFor();
    expect(await page.locator('section.findings').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'CPU usage', exact: true }).click();
    await page.getByText('Building the tables that this view reads: etw.run').waitFor();
    await page.getByRole('button', { name: 'Context switches' }).click();
    await page.getByText('Building the tables that this view reads: etw.run').waitFor();
    letGo();
    await expectStorm(page);
  } finally {
    await served.end();
  }
});
