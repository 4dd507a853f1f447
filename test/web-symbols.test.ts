import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { startBrowser } from './support/browser.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { picture, Scratch, synth } from './support/places.ts';
import { servePage, type StaticServer } from './support/static-server.ts';

const scratch = new Scratch();
const trace = scratch.path('symbols.etl');
const store = scratch.path('store');
let browser: Browser;
let server: StaticServer;

beforeAll(async () => {
  expect((await run(synth, ['symbols', '-o', trace, '--pdbs', store])).code).toBe(0);
  browser = await startBrowser();
  server = await servePage();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  scratch.remove();
});

test('the page alone names functions by the PDBs of a folder that the user chooses', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  const errors = watchErrors(page);
  await page.goto(server.url);
  await page.setInputFiles('input[type=file]', trace);
  await page.locator('.view-heading h2').waitFor({ timeout: OPENED_LIMIT_MS });
  await page.getByRole('button', { name: 'Symbols' }).click();
  const dialog = page.getByRole('dialog', { name: 'Symbols' });
  await dialog.getByText('no symbol server is asked').waitFor();
  await dialog.getByLabel('PDB files').setInputFiles(trace);
  await dialog.getByText('There is no .pdb among these files.').waitFor();
  await dialog.getByLabel('or a folder of them').setInputFiles(store);
  await dialog.getByText('75.0 % of 400 samples').waitFor({ timeout: OPENED_LIMIT_MS });
  await dialog.getByText('browser.pdb').first().waitFor();
  expect(await dialog.getByText('/pdbs/').count()).toBe(0);
  await page.screenshot({ path: picture('web-symbols') });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'CPU usage, sampled' }).click();
  await page.locator('.view-heading h2', { hasText: 'CPU usage, sampled' }).waitFor();
  await page.locator('.view-area[aria-busy=false] .view-page .panel').first().waitFor();
  await page.screenshot({ path: picture('web-symbols-view') });
  expect(errors).toEqual([]);
  await page.close();
});
