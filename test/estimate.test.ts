import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { serve, startBrowser } from './support/browser.ts';
import { outrank, run } from './support/outrank.ts';
import { OPENED_LIMIT_MS } from './support/page.ts';
import { Scratch, synth } from './support/places.ts';

const scratch = new Scratch();
const cache = scratch.path('cache');
/** A Perfetto trace has no columns, and its tables are built. */
const trace = scratch.path('storm.pftrace');
let browser: Browser;
beforeAll(async () => {
  const recorded = scratch.path('storm.etl');
  const storm = ['switch-storm', '--count', '1100000', '-o', recorded];
  expect((await run(synth, storm)).code).toBe(0);
  expect((await outrank(cache, 'convert', recorded, '-o', trace)).code).toBe(0);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  scratch.remove();
});

/** What the page asks when the tables of runs are to be built. */
const BUILDS_RUNS = 'INCLUDE PERFETTO MODULE etw.run';

test('a storm has its first picture while its tables are built, wherever one was meanwhile', async () => {
  const served = await serve(cache, trace);
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(OPENED_LIMIT_MS);
    // From then on the engine answers nothing else, as if the table took for ever.
    let builds = false;
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.routeWebSocket(/\/socket/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        builds ||= message.toString().includes(BUILDS_RUNS);
        if (builds) void held.then(() => server.send(message));
        else server.send(message);
      });
    });
    await page.goto(served.url);
    await expect.poll(() => builds, { timeout: OPENED_LIMIT_MS }).toBe(true);
    await page.locator('section.findings').waitFor();

    await page.getByRole('button', { name: 'CPU usage', exact: true }).click();
    await page.getByText('Building the tables that this view reads: etw.run').waitFor();
    expect(await page.locator('section.findings').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Context switches' }).click();
    await page.getByText(/^Estimated from one context switch in/).waitFor();

    letGo();
    await page.getByText(/^Estimated from one context switch in/).waitFor({ state: 'detached' });
    expect(await page.locator('.view-page').innerText()).toContain('A storm: ');
  } finally {
    await served.end();
  }
});
