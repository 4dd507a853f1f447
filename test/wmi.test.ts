import { afterEach, test } from 'vitest';
import { serve, startBrowser } from './support/browser.ts';
import { startDesktop } from './support/desktop.ts';
import { Scratch, wmiDemo } from './support/places.ts';
import { tellWmiStory } from './support/wmi-story.ts';

const scratch = new Scratch();
const cache = scratch.path('cache');
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  scratch.remove();
});

test('the WMI story, from the moment to the lock and to all whom it set free, in Chromium', async () => {
  const served = await serve(cache, wmiDemo.trace);
  ends.push(() => served.end());
  const browser = await startBrowser();
  ends.push(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  await page.goto(served.url);
  await tellWmiStory(page, cache, 'browser');
});

test('the WMI story in Electron', async () => {
  const { app, page } = await startDesktop(scratch, wmiDemo.trace);
  ends.push(() => app.close());
  await tellWmiStory(page, cache, 'desktop');
});
