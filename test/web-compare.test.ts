import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from './support/browser.ts';
import { outrank, run } from './support/outrank.ts';
import { answerOfComparison, OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { Scratch, synth } from './support/places.ts';
import { servePage, type StaticServer } from './support/static-server.ts';

const scratch = new Scratch();
const [before, after] = [scratch.path('before.etl'), scratch.path('after.etl')];
let browser: Browser;
let server: StaticServer;
beforeAll(async () => {
  const change = ['--change', 'rank', '--seed', '2', '--first-id', '400'];
  for (const [path, ...more] of [[before], [after, ...change]] as const)
    expect((await run(synth, ['routine', '--seconds', '8', ...more, '-o', path])).code).toBe(0);
  server = await servePage();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  scratch.remove();
});

const until = (page: Page, row: string) =>
  page
    .locator('.compare-proof > header h2')
    .getByText(`Proof: ${row}`, { exact: true })
    .waitFor({ timeout: OPENED_LIMIT_MS });

/** Visits the page in a browser that keeps nothing yet. */
async function visit(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  return page;
}

test('the page alone compares two traces, and opens both of a bundle on what it was written from', async () => {
  const page = await visit();
  const errors = watchErrors(page);
  await page.setInputFiles('input[type=file]', before);
  await page.locator('.view-heading').waitFor({ timeout: OPENED_LIMIT_MS });
  await page.keyboard.press('b');
  // A page knows no paths.
  expect(await page.getByLabel('The trace to compare with, by its path').count()).toBe(0);
  await page.getByLabel('The trace to compare with').setInputFiles(after);
  await until(page, 'app.exe: ready: rank');
  const told = await answerOfComparison(page);
  await page.getByLabel('Below the list').selectOption('Timeline of both');
  await page.locator('.compare-timeline').nth(1).locator('svg').first().waitFor({ timeout: OPENED_LIMIT_MS });
  await page.keyboard.press('Shift+C');
  const text = page.getByRole('dialog', { name: 'Link to this place' }).getByLabel('The link');
  await expect.poll(() => text.inputValue()).toContain('#3.');
  const link = await text.inputValue();
  expect(errors).toEqual([]);

  const bundle = scratch.path('both.outrank');
  const wrote = await outrank(
    scratch.path('cache'),
    'bundle',
    before,
    '-o',
    bundle,
    '--state',
    link,
    '--compared',
    after,
    '--yes',
  );
  expect(wrote.stderr + String(wrote.code)).toBe('0');

  const other = await visit();
  const otherErrors = watchErrors(other);
  await other.setInputFiles('input[type=file]', bundle);
  await other
    .locator('.compare-timeline')
    .nth(1)
    .locator('svg')
    .first()
    .waitFor({ timeout: OPENED_LIMIT_MS });
  expect(await answerOfComparison(other)).toBe(told);
  await other.getByRole('button', { name: 'Back to the proof' }).click();
  await until(other, 'app.exe: ready: rank');
  expect(otherErrors).toEqual([]);
});
