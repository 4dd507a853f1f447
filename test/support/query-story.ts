import { parquetReadObjects } from 'hyparquet';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { OPENED_LIMIT_MS, watchErrors } from './page.ts';
import { picture } from './places.ts';

/** A cross join of some 12^16 rows. */
const RUNAWAY = `SELECT count(*) FROM ${Array.from({ length: 16 }, (_, at) => `etw_run AS r${at}`).join(', ')}`;

/** What differs between a window and a browser. */
export interface Surroundings {
  readonly name: string;
  /** Does what saves a file, and gives the bytes of that file. */
  readonly saved: (save: () => Promise<void>) => Promise<Buffer>;
  /** What was copied last. */
  readonly copied: () => Promise<string>;
}

/** Replaces the SQL of the tab in use, and runs it. */
export async function ask(page: Page, sql: string): Promise<void> {
  // Into its first line: what completion offers may cover the lines below.
  await page.locator('.cm-content').click({ position: { x: 4, y: 4 } });
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(sql);
  await page.keyboard.press('ControlOrMeta+Enter');
}

/**
 * Writes a query with what completion offers, mends it at its error, sorts, filters, copies and saves its rows, follows a
 * cell, goes on in other tabs, cancels a runaway, and meets a stranger's query.
 */
export async function tellQueryStory(page: Page, { name, saved, copied }: Surroundings): Promise<void> {
  const errors = watchErrors(page);
  await page.getByRole('button', { name: 'Query', exact: true }).click({ timeout: OPENED_LIMIT_MS });
  await complete(page);

  await ask(page, 'SELECT 1,\n nope FROM etw_run');
  await page.getByText('Line 2, column 2: no such column: nope').waitFor({ timeout: OPENED_LIMIT_MS });
  await ask(page, "SELECT 1 AS n, '<img src=x>' AS text UNION ALL SELECT 2, 'b,c' UNION ALL SELECT 3, NULL");
  await page.getByText(/^3 rows in/).waitFor();
  expect(await page.locator('.result-rows img').count()).toBe(0);
  await page.getByRole('columnheader', { name: 'n' }).getByRole('button').click();
  await page.getByText('3 shown').waitFor();
  await page.getByLabel('Filter text').fill('!null');
  await page.getByText('2 shown').waitFor();
  await page.getByRole('gridcell', { name: '2', exact: true }).click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('ControlOrMeta+C');
  await expect.poll(copied).toBe('n\ttext\n2\tb,c\n1\t<img src=x>');
  const save = (format: string) => saved(() => page.getByRole('button', { name: `Save ${format}` }).click());
  expect((await save('CSV')).toString()).toBe('n,text\r\n2,"b,c"\r\n1,<img src=x>\r\n');
  const rows = [
    { n: 2, text: 'b,c' },
    { n: 1, text: '<img src=x>' },
  ];
  expect(JSON.parse((await save('JSON')).toString())).toEqual(rows);
  const parquet = new Uint8Array(await save('Parquet')).buffer;
  expect(await parquetReadObjects({ file: parquet })).toEqual(
    rows.map(({ n, text }) => ({ n: BigInt(n), text })),
  );
  await page.screenshot({ path: picture(`query-${name}`) });

  await followCells(page);
  await useTabsAndHistory(page);
  await cancelRunaway(page);
  await meetStranger(page);
  expect(errors).toEqual([]);
}

/** What fits is offered with its documentation; Escape closes the list, and typing goes on. */
async function complete(page: Page): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.type('SELECT * FROM etw_ready_wa');
  const fitting = page.locator('.cm-tooltip-autocomplete li');
  await fitting.first().waitFor();
  expect(await fitting.first().innerText()).toMatch(/^etw_ready_wait\s*etw\.ready_wait$/);
  await page.getByText('Waits of threads that could have run and did not.').waitFor();
  await page.keyboard.press('Escape');
  await fitting.first().waitFor({ state: 'detached' });
  await page.keyboard.type('it');
  expect(await page.locator('.cm-content').innerText()).toBe('SELECT * FROM etw_ready_wait');
}

/** Cells of `utid` and `ts` lead to the thread and the time. */
async function followCells(page: Page): Promise<void> {
  await ask(page, 'SELECT utid, ts, dur FROM etw_ready_wait ORDER BY dur DESC LIMIT 1');
  await page.getByText(/^1 row in/).waitFor({ timeout: OPENED_LIMIT_MS });
  const cells = page.locator('.result-rows').getByRole('gridcell');
  await cells.nth(0).click();
  await page.getByText(/^Thread \d+ is chosen\./).waitFor();
  await expect.poll(() => page.url()).toMatch(/[&#]tid=|thread=/);
  await cells.nth(1).click();
  await page.getByText('The time bar shows this time.').waitFor();
}

/** Each tab keeps its rows; what was run is found again. */
async function useTabsAndHistory(page: Page): Promise<void> {
  const tabs = page.getByRole('tablist', { name: 'Queries' });
  const before = await tabs.getByRole('tab').count();
  await page.getByRole('button', { name: 'New query' }).click();
  await ask(page, 'SELECT 5 AS five UNION ALL SELECT 6');
  await page.getByText(/^2 rows in/).waitFor();
  expect(await tabs.getByRole('tab').count()).toBe(before + 1);
  await tabs.getByRole('tab', { name: /^SELECT utid, ts/ }).click();
  await page.getByText(/^1 row in/).waitFor();
  await page.getByRole('button', { name: 'Close SELECT 5 AS five' }).click();
  expect(await tabs.getByRole('tab').count()).toBe(before);
  await page.getByRole('button', { name: 'History and examples' }).click();
  const past = page.getByRole('region', { name: 'History' });
  await past.getByRole('button', { name: 'SELECT 5 AS five UNION ALL SELE…' }).click();
  await expect
    .poll(() => page.locator('.cm-content').innerText())
    .toBe('SELECT 5 AS five UNION ALL SELECT 6');
}

/** While the engine works on it the page answers; after Cancel it is over, and the engine comes back by itself. */
async function cancelRunaway(page: Page): Promise<void> {
  await ask(page, RUNAWAY);
  await page.getByText(/^Running/).waitFor();
  await page.getByRole('button', { name: 'Panels', exact: true }).click();
  await page.getByRole('heading', { name: 'Panels', level: 2 }).waitFor();
  await page.getByRole('button', { name: 'Query', exact: true }).click();
  await page.getByText(/^Running/).waitFor();
  const reloading = page.locator('.reloading');
  const seen = reloading.waitFor();
  await page.getByRole('button', { name: 'Cancel' }).first().click();
  await page.getByText('It was cancelled.').waitFor();
  await seen;
  await reloading.waitFor({ state: 'detached', timeout: OPENED_LIMIT_MS });
  await ask(page, 'SELECT count(*) AS runs FROM etw_run');
  await page.getByText(/^1 row in/).waitFor({ timeout: OPENED_LIMIT_MS });
}

/** A query of a link runs only once it was read. */
async function meetStranger(page: Page): Promise<void> {
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
}
