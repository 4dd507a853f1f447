import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { serve, startBrowser } from './support/browser.ts';
import { startDesktop } from './support/desktop.ts';
import { outrank, run } from './support/outrank.ts';
import { routeReasons, tellLaterReasons } from './support/later-reasons.ts';
import { OPENED_LIMIT_MS, untilShown, watchErrors } from './support/page.ts';
import { Scratch, synth } from './support/places.ts';
import { servePage } from './support/static-server.ts';
import { tellView } from './support/tell-view.ts';
import { viewStories, type TraceStories } from './support/view-stories.ts';

const scratch = new Scratch();
const cache = scratch.path('cache');
const named = viewStories.map((stories) => ({ name: stories.scenario[0], stories }));
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  for (const { name, stories } of named) {
    const [, ...options] = stories.scenario;
    expect((await run(synth, [name, ...options, '-o', traceOf(name)])).code).toBe(0);
  }
});
afterAll(async () => {
  await browser.close();
  scratch.remove();
});
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test.each(named)(
  'the views for $name are filtered and chosen from by keyboard, in Chromium',
  async (each) => {
    const served = await serve(cache, traceOf(each.name));
    ends.push(() => served.end());
    const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
    ends.push(() => page.close());
    const reasons = await routeReasons(page);
    await page.goto(served.url);
    await tellViews(page, each.stories, 'browser');
    if (each.stories.views.some(({ view }) => view === 'Ready latency')) {
      // From columns reasons come too fast to be waited for: of a trace without them they are asked for by SQL.
      const converted = scratch.path(`${each.name}.pftrace`);
      expect((await outrank(cache, 'convert', traceOf(each.name), '-o', converted)).code).toBe(0);
      const asked = await serve(cache, converted);
      ends.push(() => asked.end());
      await page.goto(asked.url);
      await untilShown(page);
      await tellLaterReasons(page, reasons);
    }
  },
);

test.each(named)(
  'the views for $name are filtered and chosen from by keyboard, in Electron',
  async (each) => {
    const { app, page } = await startDesktop(scratch, traceOf(each.name));
    ends.push(() => app.close());
    await tellViews(page, each.stories, 'desktop');
  },
);

// Every second one: the page alone has the same views, and each trace takes it half a minute to convert and to show.
test.each(named.filter((_, at) => at % 2 === 0))(
  'the views for $name are the same in the page alone',
  async (each) => {
    const server = await servePage();
    ends.push(() => server.close());
    const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
    ends.push(() => page.close());
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
    await page.setInputFiles('input[type=file]', traceOf(each.name));
    await tellViews(page, each.stories, 'web');
  },
);

async function tellViews(page: Page, { views }: TraceStories, door: string): Promise<void> {
  const errors = watchErrors(page);
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor({ timeout: OPENED_LIMIT_MS });
  for (const story of views) await tellView(page, story, door);
  expect(errors).toEqual([]);
}

function traceOf(scenario: string): string {
  return scratch.path(`${scenario}.etl`);
}
