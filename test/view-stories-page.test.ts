import { afterAll, afterEach, beforeAll, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { startBrowser } from './support/browser.ts';
import { Scratch } from './support/places.ts';
import { servePage } from './support/static-server.ts';
import { storiesByScenario, tellViews, writeScenario } from './support/story-traces.ts';

const scratch = new Scratch();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  scratch.remove();
});
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test.each(storiesByScenario)('the views for $name are the same in the page alone', async ({ stories }) => {
  const trace = await writeScenario(scratch, stories);
  const server = await servePage();
  ends.push(() => server.close());
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  ends.push(() => page.close());
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
  await page.setInputFiles('input[type=file]', trace);
  await tellViews(page, stories, 'web');
});
