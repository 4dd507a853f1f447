import type { Batch, Stretch, TableName, Tables } from './tables.ts';

/**
 * Calls `onRow` with each row of a table that ends at one of some times, in the order of the file. `times` rise, and may repeat. The rows
 * are looked up, since a table of what lasts is in the order of its ends.
 */
export async function visitRowsEnding<C extends string>(
  tables: Tables,
  table: TableName,
  columns: readonly C[],
  times: Float64Array,
  onRow: (batch: Batch<C | 'te'>, row: number) => void,
): Promise<void> {
  for await (const batch of tables.batches(table, ['te', ...columns], around(times))) {
    const { rowCount } = batch;
    const ends = batch.columns.te.values;
    let row = 0;
    for (let at = firstFrom(times, 0, times.length, ends[0] ?? 0); at < times.length; at++) {
      const time = times[at] ?? 0;
      if (time > (ends[rowCount - 1] ?? 0)) break;
      row = firstFrom(ends, row, rowCount, time);
      for (; row < rowCount && ends[row] === time; row++) onRow(batch, row);
    }
  }
}

/** What rows that begin or end at some times touch: a row touches what lies before its end. */
function around(times: Float64Array): Stretch[] {
  return Array.from(times, (time) => ({ start: time - 1, end: time + 1 }));
}

/**
 * Calls `onRow`, for each of some times, with rows of a table that end then or later, in the order of the file, until it gives false: with those that
 * begin or end at the time, and with others. `times` rise, and may repeat.
 */
export async function visitRowsFrom<C extends string>(
  tables: Tables,
  table: TableName,
  columns: readonly C[],
  times: Float64Array,
  onRow: (at: number, batch: Batch<C | 'te'>, row: number) => boolean,
): Promise<void> {
  let next = 0;
  /** The times whose rows go on in the next batch. */
  let open: number[] = [];
  for await (const batch of tables.batches(table, ['te', ...columns], around(times))) {
    const { rowCount } = batch;
    const ends = batch.columns.te.values;
    const goesOn = (at: number, from: number): boolean => {
      for (let row = from; row < rowCount; row++) if (!onRow(at, batch, row)) return false;
      return true;
    };
    open = open.filter((at) => goesOn(at, 0));
    for (let row = 0; (times[next] ?? Infinity) <= (ends[rowCount - 1] ?? -Infinity); next++) {
      row = firstFrom(ends, row, rowCount, times[next] ?? 0);
      if (goesOn(next, row)) open.push(next);
    }
    if (next === times.length && open.length === 0) return;
  }
}

/** The place of the first value from `bound` on, of those that rise from `from` until before `to`; `to` where there is none. */
export function firstFrom(values: ArrayLike<number>, from: number, to: number, bound: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
