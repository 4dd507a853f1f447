import { statSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readyLatency } from '../../views/ready-latency/view.ts';
import type { ReadyLatencyModel } from '../../views/ready-latency/model.ts';
import { peakOf, startProfile } from '../support/browser.ts';
import { outrank, run } from '../support/outrank.ts';
import { expectTable, waitTable, watchErrors } from '../support/page.ts';
import { picture, Scratch, synth } from '../support/places.ts';
import { servePage } from '../support/static-server.ts';
import { HEADER_TS } from '../support/truth.ts';

const scratch = new Scratch();
const trace = scratch.path('gigabyte.etl');
/** On a busy machine the first picture takes two minutes, and the list of waits after it as long. */
const LIMIT_MS = 900_000;

beforeAll(async () => {
  const count = ['--count', '18500000', '--cpus', '16'];
  expect((await run(synth, ['switches', ...count, '-o', trace])).code).toBe(0);
});
afterAll(() => scratch.remove());

test('a page without a server opens a file of 1 GB, and tells what the command line tells', async () => {
  expect(statSync(trace).size).toBeGreaterThan(1e9);
  const printed = await outrank(scratch.path('cache'), 'view', 'ready-latency', trace, '--format', 'json');
  const [longest] = readyLatency.tables(JSON.parse(printed.stdout) as ReadyLatencyModel);
  if (longest === undefined) throw new Error('the view has no table');

  const server = await servePage();
  const context = await startProfile(scratch.path('profile'));
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.setViewportSize({ width: 1440, height: 900 });
    const errors = watchErrors(page);
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
    const began = performance.now();
    const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
    await page.setInputFiles('input[type=file]', trace);
    await page.locator('.view-area[aria-busy=false] .view-page .panel').first().waitFor();
    console.log(
      `first picture after ${seconds()}, at most ${(await peakOf(context.browser())).toFixed(0)} MiB`,
    );
    await page.getByRole('button', { name: 'Ready latency' }).click();
    await waitTable(page).getByRole('row').nth(1).waitFor();
    await page.locator('.view-area[aria-busy=false] .view-page').waitFor();
    const peak_mib = await peakOf(context.browser());
    console.log(`longest waits after ${seconds()}, at most ${peak_mib.toFixed(0)} MiB`);
    await expectTable(waitTable(page), longest, HEADER_TS);
    await page.screenshot({ path: picture('web-gigabyte') });
    // Most of it is what findings hold of all rows at once; the file itself is never in memory as a whole.
    expect(peak_mib).toBeLessThan(2_400);
    expect(errors).toEqual([]);
  } finally {
    await context.close();
    await server.close();
  }
});
