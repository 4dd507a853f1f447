import type { Cell, QueryResult } from '../../../shared/engine/index.ts';
import type { Sorting } from '../../../views/kit/index.ts';
import { parseFilter } from './filter.ts';

/** How long work goes on before it lets the window have a turn, in ms. */
const SLICE_MS = 12;
/** Rows between looks at the clock. */
const STEP = 4096;

/** A turn for the window, where one is due. Rejects with an `AbortError` once the work is no longer wanted. */
export class Turns {
  readonly #signal: AbortSignal;
  #since = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async take(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#signal.throwIfAborted();
    this.#since = performance.now();
  }
}

/** The rows that pass the filters, sorted; null for all of them as they are. */
export async function ordered(
  result: Pick<QueryResult, 'rowCount' | 'cell'>,
  sorting: Sorting | null,
  filters: readonly string[],
  turns: Turns,
): Promise<Uint32Array | null> {
  const tests = filters.flatMap((typed, column) => {
    const test = parseFilter(typed);
    return test === null ? [] : [(row: number) => test(result.cell(row, column))];
  });
  if (sorting === null && tests.length === 0) return null;
  const rows = await filterRows(result.rowCount, (row) => tests.every((test) => test(row)), turns);
  if (sorting === null) return rows;
  const { column, descending } = sorting;
  const compare = (a: number, b: number) =>
    compareCells(result.cell(a, column), result.cell(b, column), descending);
  return sortRows(rows, compare, turns);
}

/** The rows from 0 to `count` for which `test` holds. */
async function filterRows(count: number, test: (row: number) => boolean, turns: Turns): Promise<Uint32Array> {
  const found = new Uint32Array(count);
  let used = 0;
  for (let row = 0; row < count; row++) {
    if (row % STEP === 0) await turns.take();
    if (test(row)) found[used++] = row;
  }
  return found.slice(0, used);
}

/** Sorts rows by `compare`, in place and in slices of time; equal rows keep their order. */
export async function sortRows(
  rows: Uint32Array,
  compare: (a: number, b: number) => number,
  turns: Turns,
): Promise<Uint32Array> {
  for (let start = 0; start < rows.length; start += STEP) {
    rows.subarray(start, start + STEP).sort(compare);
    await turns.take();
  }
  let from: Uint32Array = rows;
  let into: Uint32Array = new Uint32Array(rows.length);
  for (let run = STEP; run < rows.length; run *= 2) {
    for (let start = 0; start < rows.length; start += 2 * run) {
      const middle = Math.min(start + run, rows.length);
      const end = Math.min(start + 2 * run, rows.length);
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        if (at % STEP === 0) await turns.take();
        const [a = 0, b = 0] = [from[left], from[right]];
        const takesLeft = left < middle && (right >= end || compare(a, b) <= 0);
        into[at] = takesLeft ? a : b;
        if (takesLeft) left++;
        else right++;
      }
    }
    [from, into] = [into, from];
  }
  return from;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The order of two cells: numbers, then text, then bytes; null is last either way. */
export function compareCells(a: Cell, b: Cell, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const sign = descending ? -1 : 1;
  if (typeof a === 'string' && typeof b === 'string') return sign * collator.compare(a, b);
  if (typeof a === 'string' || typeof b === 'string') {
    return sign * (Number(typeof a === 'string') - Number(typeof b === 'string'));
  }
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    return sign * (Number(a instanceof Uint8Array) - Number(b instanceof Uint8Array));
  }
  return sign * (Number(a > b) - Number(a < b));
}
