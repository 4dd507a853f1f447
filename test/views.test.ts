import { afterEach, expect, test } from 'vitest';
import { serve, startBrowser } from './support/browser.ts';
import { startDesktop } from './support/desktop.ts';
import { demo, Scratch } from './support/places.ts';
import { walkByKeyboard } from './support/steps.ts';

const scratch = new Scratch();
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  scratch.remove();
});

test('all views of the demo by keyboard alone, in Chromium', async () => {
  const served = await serve(scratch.path('cache'), demo.trace);
  ends.push(() => served.end());
  const browser = await startBrowser();
  ends.push(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  await page.goto(served.url);
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor({ timeout: 120_000 });
  await walkByKeyboard(page);
  expect(await page.title()).toBe('lock-screen.etl – Outrank');
});

test('all views of the demo by keyboard alone, in Electron', async () => {
  const { app, page } = await startDesktop(scratch, demo.trace);
  ends.push(() => app.close());
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor({ timeout: 120_000 });
  await walkByKeyboard(page);
  expect(await page.title()).toBe('lock-screen.etl – Outrank');
});
