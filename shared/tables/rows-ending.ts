import { orderOf } from './order.ts';
import type { Batch, NumberValues, Stretch, TableName, Tables } from './tables.ts';

/**
 * Calls `onRow` with each row of a table that ends at one of some times, batch by batch in the order of the ends. `times` rise, and may
 * repeat. The rows are looked up.
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
    const { ends, rows } = byEnds(batch);
    let place = 0;
    for (let at = firstFrom(times, 0, times.length, ends[0] ?? 0); at < times.length; at++) {
      const time = times[at] ?? 0;
      if (time > (ends[rowCount - 1] ?? 0)) break;
      place = firstFrom(ends, place, rowCount, time);
      for (; place < rowCount && ends[place] === time; place++) onRow(batch, rows?.[place] ?? place);
    }
  }
}

/** What rows that begin or end at some times touch: a row touches what lies before its end. */
function around(times: Float64Array): Stretch[] {
  return Array.from(times, (time) => ({ start: time - 1, end: time + 1 }));
}

/**
 * Calls `onRow`, for each of some times, with rows of a table that end then or later, in the order of `visitRowsEnding`, until it gives false:
 * with those that begin or end at the time, and with others. `times` rise, and may repeat.
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
    const { ends, rows } = byEnds(batch);
    const goesOn = (at: number, from: number): boolean => {
      for (let place = from; place < rowCount; place++)
        if (!onRow(at, batch, rows?.[place] ?? place)) return false;
      return true;
    };
    open = open.filter((at) => goesOn(at, 0));
    for (let place = 0; (times[next] ?? Infinity) <= (ends[rowCount - 1] ?? -Infinity); next++) {
      place = firstFrom(ends, place, rowCount, times[next] ?? 0);
      if (goesOn(next, place)) open.push(next);
    }
    if (next === times.length && open.length === 0) return;
  }
}

/** When rows end, rising, and which rows these are; null where they stand in that order. */
interface ByEnds {
  readonly ends: NumberValues;
  readonly rows: Uint32Array | null;
}

/** The rows of a batch by their ends. A run of the idle thread that lost events cut short stands behind runs that ended later. */
function byEnds({ rowCount, columns: { te } }: Batch<'te'>): ByEnds {
  const { values } = te;
  if (isRising(values, rowCount)) return { ends: values, rows: null };
  const rows = orderOf(Float64Array.from(values));
  return { ends: Float64Array.from(rows, (row) => values[row] ?? 0), rows };
}

function isRising(values: NumberValues, count: number): boolean {
  for (let row = 1; row < count; row++) if ((values[row] ?? 0) < (values[row - 1] ?? 0)) return false;
  return true;
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
