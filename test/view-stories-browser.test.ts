import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { serve, startBrowser } from './support/browser.ts';
import { routeReasons, tellLaterReasons } from './support/later-reasons.ts';
import { outrank } from './support/outrank.ts';
import { untilShown } from './support/page.ts';
import { Scratch } from './support/places.ts';
import { storiesByScenario, tellViews, writeScenario } from './support/story-traces.ts';

const scratch = new Scratch();
const cache = scratch.path('cache');
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

test.each(storiesByScenario)(
  'the views for $name are filtered and chosen from by keyboard, in Chromium',
  async ({ name, stories }) => {
    const trace = await writeScenario(scratch, stories);
    const served = await serve(cache, trace);
    ends.push(() => served.end());
    const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
    ends.push(() => page.close());
    const reasons = await routeReasons(page);
    await page.goto(served.url);
    await tellViews(page, stories, 'browser');
    if (stories.views.some(({ view }) => view === 'Ready latency')) {
      // From columns reasons come too fast to be waited for: of a trace without them they are asked for by SQL.
      const converted = scratch.path(`${name}.pftrace`);
      expect((await outrank(cache, 'convert', trace, '-o', converted)).code).toBe(0);
      const asked = await serve(cache, converted);
      ends.push(() => asked.end());
      await page.goto(asked.url);
      await untilShown(page);
      await tellLaterReasons(page, reasons);
    }
  },
);
