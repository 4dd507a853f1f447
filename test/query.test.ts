import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { serve, startBrowser, type Served } from './support/browser.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { Scratch, synth } from './support/places.ts';

const RUNAWAY = `WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r`;

const scratch = new Scratch();
const trace = scratch.path('minimal.etl');
let browser: Browser;
let served: Served;
beforeAll(async () => {
  expect((await run(synth, ['minimal', '-o', trace])).code).toBe(0);
  browser = await startBrowser();
  served = await serve(scratch.path('cache'), trace);
});
afterAll(async () => {
  await browser.close();
  await served.end();
  scratch.remove();
});

/** Replaces the SQL of the tab in use, and runs it. */
async function ask(page: Page, sql: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(sql);
  await page.keyboard.press('Control+Enter');
}

test('write, fix at the error, run, sort, save, cancel a runaway; the engine comes back by itself', async () => {
  const page = await browser.newPage();
  const errors = watchErrors(page);
  await page.goto(served.url);
  await page.getByRole('button', { name: 'Query', exact: true }).click({ timeout: OPENED_LIMIT_MS });

  await ask(page, 'SELECT 1,\n nope FROM etw_run');
  await page.getByText('Line 2, column 2: no such column: nope').waitFor({ timeout: OPENED_LIMIT_MS });
  await ask(page, "SELECT 1 AS n, '<img src=x>' AS text UNION ALL SELECT 2, 'b,c'");
  await page.getByText(/^2 rows in/).waitFor();
  expect(await page.locator('.result-rows img').count()).toBe(0);
  await page.getByRole('columnheader', { name: 'n' }).getByRole('button').click();
  await page.getByText('2 shown').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save CSV' }).click();
  const path = await (await download).path();
  expect(await readFile(path, 'utf8')).toBe('n,text\r\n2,"b,c"\r\n1,<img src=x>\r\n');

  await ask(page, RUNAWAY);
  await page.getByText(/^Running/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).first().click();
  await page.getByText('It was cancelled.').waitFor({ timeout: 1000 });
  await page.locator('.reloading').waitFor({ state: 'detached', timeout: OPENED_LIMIT_MS });
  await ask(page, 'SELECT count(*) AS runs FROM etw_run');
  await page.getByText(/^1 row in/).waitFor({ timeout: OPENED_LIMIT_MS });
  expect(errors).toEqual([]);

  const link = new URL(page.url());
  link.hash = `${link.hash.replace(/&sql=[^&]*/, '')}&sql=SELECT+7+AS+seven`;
  await page.evaluate((address) => (location.href = address), link.href);
  await page.reload();
  await page.getByText('This query came with a link and has not run.').waitFor({ timeout: OPENED_LIMIT_MS });
  expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  expect(await page.getByText(/^1 row in/).count()).toBe(0);
  await page.getByRole('button', { name: 'I have read it: run it' }).click();
  await page.getByText(/^1 row in/).waitFor({ timeout: OPENED_LIMIT_MS });
  await page.close();
});
