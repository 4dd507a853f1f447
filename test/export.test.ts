import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { serve, startBrowser, type Served } from './support/browser.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { picture, Scratch, synth } from './support/places.ts';

const scratch = new Scratch();
const trace = scratch.path('keys.etl');
let browser: Browser;
let served: Served;
beforeAll(async () => {
  expect((await run(synth, ['attention', '-o', trace])).code).toBe(0);
  browser = await startBrowser();
  served = await serve(scratch.path('cache'), trace);
});
afterAll(async () => {
  await served.end();
  await browser.close();
  scratch.remove();
});

test('the user sees what is inside, chooses what leaves, and gets a file without the rest', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  const errors = watchErrors(page);
  await page.goto(served.url);
  await page.getByRole('button', { name: 'Export…' }).click({ timeout: OPENED_LIMIT_MS });
  const dialog = page.getByRole('dialog', { name: 'Export' });
  const row = (title: string) => dialog.getByRole('row', { name: title });
  const names = row('Names of processes');
  await names.getByText('browser.exe, editor.exe, game.exe').waitFor();
  expect(await row('Keys that were pressed').getByRole('cell').allInnerTexts()).toEqual([
    '2 2 different',
    'remove\npseudonym\nkeep',
    '0',
  ]);
  const state = dialog.getByRole('status');
  expect(await state.innerText()).toMatch(
    /^The export would take [\d.]+ \w+; the recording takes [\d.]+ \w+\.$/,
  );

  await names.getByRole('combobox').selectOption('keep');
  await dialog.locator('tr.kept', { hasText: 'Names of processes' }).waitFor();
  await names.getByRole('combobox').selectOption('remove');
  await dialog.locator('tr.kept').waitFor({ state: 'detached' });
  await dialog.getByRole('listbox', { name: 'Processes' }).selectOption('game.exe');
  await page.screenshot({ path: picture('export') });

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.locator('.buttons').getByRole('button', { name: 'Export…' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('keys.redacted.pftrace');
  await state.getByText('keys.redacted.pftrace is being downloaded.').waitFor();
  const written = scratch.path('keys.redacted.pftrace');
  await download.saveAs(written);
  const bytes = readFileSync(written, 'latin1');
  const sought = ['editor.exe', 'game.exe', 'kernel.etl', 'svchost.exe', 'etw.end'];
  expect(sought.filter((text) => bytes.includes(text))).toEqual(['svchost.exe', 'etw.end']);
  expect(errors).toEqual([]);
  await page.close();
});
