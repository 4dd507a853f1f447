import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { startBrowser } from './support/browser.ts';
import { openExport } from './support/give-away.ts';
import { outrank, run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { picture, Scratch, synth } from './support/places.ts';
import { servePage, type StaticServer } from './support/static-server.ts';

/** The processes of the trace, as the export names them. */
const NAMES = 'browser.exe, editor.exe, game.exe';
const scratch = new Scratch();
const trace = scratch.path('attention.etl');
let browser: Browser;
let server: StaticServer;

beforeAll(async () => {
  expect((await run(synth, ['attention', '-o', trace])).code).toBe(0);
  browser = await startBrowser();
  server = await servePage();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  scratch.remove();
});

/** Presses a button of the dialog, and keeps the file that is downloaded then. */
async function downloadBy(page: Page, button: Locator, name: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: OPENED_LIMIT_MS }),
    button.click(),
  ]);
  const path = scratch.path(name);
  await download.saveAs(path);
  return path;
}

/** A page in a browser that keeps nothing yet. */
async function freshPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  const page = await context.newPage();
  await page.goto(server.url);
  return page;
}

const readyLatency = (page: Page): Locator => page.locator('.view-heading h2', { hasText: 'Ready latency' });

test('the page alone gives a trace away without names, and opens bundles, its own and those of others', async () => {
  const page = await freshPage();
  const errors = watchErrors(page);
  await page.setInputFiles('input[type=file]', trace);
  await page.locator('.view-heading h2').waitFor({ timeout: OPENED_LIMIT_MS });
  await page.getByRole('button', { name: 'Ready latency' }).click();
  await readyLatency(page).waitFor();
  const dialog = await openExport(page, NAMES);
  await dialog.getByLabel('A trace file').check();
  const exported = await downloadBy(page, dialog.getByRole('button', { name: 'Export…' }), 'given.pftrace');
  const bytes = readFileSync(exported);
  expect(bytes.length).toBeGreaterThan(1000);
  expect(bytes.includes('editor.exe')).toBe(false);
  await dialog.getByLabel('A bundle').check();
  const redacted = await downloadBy(
    page,
    dialog.getByRole('button', { name: 'Bundle…' }),
    'redacted.outrank',
  );
  await dialog.getByLabel('The recording as it is').check();
  await dialog.getByLabel('A bundle').check();
  const whole = await downloadBy(page, dialog.getByRole('button', { name: 'Bundle…' }), 'whole.outrank');
  await page.screenshot({ path: picture('web-bundle') });

  // A browser that has never seen the trace shows it at the place that the bundle says.
  for (const [bundle, name] of [
    [redacted, 'attention.redacted.pftrace'],
    [whole, 'attention.etl'],
  ] as const) {
    const other = await freshPage();
    await other.setInputFiles('input[type=file]', bundle);
    await readyLatency(other).waitFor({ timeout: OPENED_LIMIT_MS });
    await other.getByText(name).first().waitFor();
    await other.context().close();
  }
  // So does the command line, and the page with what that writes.
  const info = await outrank(scratch.path('cache'), 'view', 'ready-latency', whole, '--format', 'json');
  expect(info).toMatchObject({ code: 0, stderr: '' });
  expect(errors).toEqual([]);
  await page.context().close();
});

test('what is no bundle is told by its name, and leaves nothing behind', async () => {
  const page = await freshPage();
  await page.setInputFiles('input[type=file]', {
    name: 'broken.outrank',
    mimeType: 'application/zip',
    buffer: readFileSync(trace).subarray(0, 1000),
  });
  await page.getByText('broken.outrank: not a bundle that can be opened').first().waitFor();
  const left = await page.evaluate(async () => {
    const traces = await (await navigator.storage.getDirectory()).getDirectoryHandle('traces');
    const names: string[] = [];
    for await (const name of traces.keys()) names.push(name);
    return names;
  });
  expect(left).toEqual([]);
  await page.context().close();
});
