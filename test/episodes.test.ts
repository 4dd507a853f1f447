import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { serve, startBrowser, type Served } from './support/browser.ts';
import { openByPalette, shown } from './support/keyboard.ts';
import { run } from './support/outrank.ts';
import { untilShown, watchErrors } from './support/page.ts';
import { Scratch, synth } from './support/places.ts';

const scratch = new Scratch();
let browser: Browser;
let served: Served;
beforeAll(async () => {
  const trace = scratch.path('exit-storm.etl');
  expect((await run(synth, ['exit-storm', '-o', trace])).code).toBe(0);
  browser = await startBrowser();
  served = await serve(scratch.path('cache'), trace);
});
afterAll(async () => {
  await browser.close();
  await served.end();
  scratch.remove();
});

test('a drag across the histogram chooses the slow episodes, and with Shift the ordinary ones', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  const errors = watchErrors(page);
  await page.goto(served.url);
  await untilShown(page);
  await openByPalette(page, 'Episodes', 'Episodes');
  const histogram = page.getByRole('img', { name: /^How many episodes took how long/ });
  const drag = async (from: number, to: number) => {
    const box = await histogram.boundingBox();
    if (box === null) throw new Error('the histogram has no place');
    await page.mouse.move(box.x + box.width * from, box.y + 90);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, box.y + 90, { steps: 4 });
    await page.mouse.up();
  };
  await histogram.waitFor();
  // The buttons of a view stand on one line, also where its question is long.
  const tools = page.locator('.view-heading').getByRole('button');
  const tops = await tools.evaluateAll((all) => all.map((tool) => tool.getBoundingClientRect().top));
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(8);
  await drag(0.6, 0.95);
  await page.waitForFunction(() => /p\.slow_from_ms=1\d\d\d.*p\.slow_to_ms=/.test(location.hash));
  await shown(page, 'Episodes');
  await page.keyboard.down('Shift');
  // From the right to the left is as good.
  await drag(0.4, 0.1);
  await page.keyboard.up('Shift');
  await page.waitForFunction(() => /p\.ordinary_from_ms=.*p\.ordinary_to_ms=/.test(location.hash));
  await page.getByText(/^\d+ slow, .* on average; \d+ ordinary, .* on average/).waitFor();
  expect(errors).toEqual([]);
});
