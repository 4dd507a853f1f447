import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { formatCell } from '../../shared/model/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';

/** The longest that opening the demo may take, converted afresh, on a busy machine; an idle one needs 5 s. */
export const OPENED_LIMIT_MS = 120_000;

/** The table of the longest waits in the page's ready latency view. */
export function waitTable(page: Page): Locator {
  return page.getByRole('grid', { name: 'Longest ready waits' });
}

/** Waits until the page shows a trace, and goes to its ready latency view. */
export async function untilShown(page: Page): Promise<void> {
  await page.locator('.view-page .panel').first().waitFor({ timeout: OPENED_LIMIT_MS });
  await page.getByRole('button', { name: 'Ready latency' }).click();
  await waitTable(page).getByRole('row').nth(1).waitFor({ timeout: OPENED_LIMIT_MS });
}

/** Waits until the view in use is drawn and no table is being built. */
export async function untilTablesBuilt(page: Page): Promise<void> {
  await page.locator('.view-area[aria-busy=false] .view-page').waitFor();
  await page.locator('.background-tables').waitFor({ state: 'hidden' });
}

/** The text of a grid's rows that are in sight, headings first, cell by cell. */
export function textOf(grid: Locator): Promise<string[][]> {
  return grid.evaluate((element) =>
    [...element.querySelectorAll('[role=row]')]
      .filter((row) => (row as HTMLElement).offsetParent !== null)
      .sort((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
      .map((row) => [...row.children].map((cell) => cell.textContent)),
  );
}

/** Expects a grid to show a table from its first row on, as far as it is in sight. */
export async function expectTable(grid: Locator, table: ViewTable, origin_ns: number): Promise<void> {
  const text = await textOf(grid);
  const wanted = [
    table.columns.map(({ title }) => title),
    ...table.rows.map((row) =>
      table.columns.map(({ kind }, column) => formatCell(row[column] ?? null, kind, origin_ns)),
    ),
  ];
  expect(text.length).toBeGreaterThan(3);
  expect(text).toEqual(wanted.slice(0, text.length));
}

/** Collects what a page reports as wrong. */
export function watchErrors(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  return errors;
}

/** Opens a file as if it were dropped on the page from outside. */
export async function dropFile(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  }
  await session.detach();
}

/** The answer of a comparison, once all is measured. */
export async function answerOfComparison(page: Page): Promise<string> {
  const done = page.locator('.compare-page[aria-busy=false]');
  return done.locator('.answer').first().innerText({ timeout: OPENED_LIMIT_MS });
}
