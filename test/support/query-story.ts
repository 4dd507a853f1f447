import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { OPENED_LIMIT_MS, watchErrors } from './page.ts';
import { picture } from './places.ts';

/** A cross join of some 12^16 rows. */
const RUNAWAY = `SELECT count(*) FROM ${Array.from({ length: 16 }, (_, at) => `etw_run AS r${at}`).join(', ')}`;

/** Does what saves a file, and gives the text of that file. */
export type SavedText = (page: Page, save: () => Promise<void>) => Promise<string>;

/** Replaces the SQL of the tab in use, and runs it. */
export async function ask(page: Page, sql: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(sql);
  await page.keyboard.press('ControlOrMeta+Enter');
}

/** Writes a query, mends it at its error, sorts and saves its rows, cancels a runaway, and meets a stranger's query. */
export async function tellQueryStory(page: Page, name: string, savedText: SavedText): Promise<void> {
  const errors = watchErrors(page);
  await page.getByRole('button', { name: 'Query', exact: true }).click({ timeout: OPENED_LIMIT_MS });

  await ask(page, 'SELECT 1,\n nope FROM etw_run');
  await page.getByText('Line 2, column 2: no such column: nope').waitFor({ timeout: OPENED_LIMIT_MS });
  await ask(page, "SELECT 1 AS n, '<img src=x>' AS text UNION ALL SELECT 2, 'b,c'");
  await page.getByText(/^2 rows in/).waitFor();
  expect(await page.locator('.result-rows img').count()).toBe(0);
  await page.getByRole('columnheader', { name: 'n' }).getByRole('button').click();
  await page.getByText('2 shown').waitFor();
  const save = () => page.getByRole('button', { name: 'Save CSV' }).click();
  expect(await savedText(page, save)).toBe('n,text\r\n2,"b,c"\r\n1,<img src=x>\r\n');
  await page.screenshot({ path: picture(`query-${name}`) });

  await ask(page, RUNAWAY);
  await page.getByText(/^Running/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).first().click();
  await page.getByText('It was cancelled.').waitFor({ timeout: 1000 });
  await page.locator('.reloading').waitFor({ state: 'detached', timeout: OPENED_LIMIT_MS });
  await ask(page, 'SELECT count(*) AS runs FROM etw_run');
  await page.getByText(/^1 row in/).waitFor({ timeout: OPENED_LIMIT_MS });

  const link = new URL(page.url());
  link.hash = `${link.hash.replace(/&sql=[^&]*/, '')}&sql=SELECT+7+AS+seven`;
  await page.evaluate((address) => (location.href = address), link.href);
  await page.reload();
  await page.getByText('This query came with a link and has not run.').waitFor({ timeout: OPENED_LIMIT_MS });
  expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
  await page.keyboard.press('ControlOrMeta+Enter');
  expect(await page.getByText(/^1 row in/).count()).toBe(0);
  await page.getByRole('button', { name: 'I have read it: run it' }).click();
  await page.getByText(/^1 row in/).waitFor({ timeout: OPENED_LIMIT_MS });
  expect(errors).toEqual([]);
}
