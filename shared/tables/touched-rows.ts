import { BLOCK_ROWS, type ArrowTable } from '../columns/index.ts';
import type { Stretch } from './tables.ts';

/** Rows of a batch that follow one another: `to` is outside, `from` a multiple of 8, so that their bits begin with a byte. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** All rows of a batch. */
export function allRows(table: ArrowTable, batch: number): RowRange {
  return { from: 0, to: table.batches[batch]?.rowCount ?? 0 };
}

/**
 * The rows of a batch that some stretches of time touch, in whole blocks of rows. All rows where the file does not say when blocks begin
 * and end.
 */
export function touchedRows(table: ArrowTable, batch: number, stretches: readonly Stretch[]): RowRange[] {
  const { rowCount = 0, starts_ns = null, ends_ns = null } = table.batches[batch] ?? {};
  if (starts_ns === null || ends_ns === null) return [allRows(table, batch)];
  const ranges: RowRange[] = [];
  starts_ns.forEach((least_ns, block) => {
    const greatest_ns = ends_ns[block] ?? 0;
    if (!stretches.some(({ start, end }) => start < greatest_ns && end > least_ns)) return;
    const from = block * BLOCK_ROWS;
    const to = Math.min(rowCount, from + BLOCK_ROWS);
    const last = ranges.at(-1);
    if (last?.to === from) ranges[ranges.length - 1] = { from: last.from, to };
    else ranges.push({ from, to });
  });
  return ranges;
}
