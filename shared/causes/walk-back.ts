import {
  orderOf,
  type Batch,
  type NumberValues,
  type Stretch,
  type Tables,
  type Values,
} from '../tables/index.ts';
import { firstWhere } from './rows.ts';

/** Columns of runs that are always there. */
const OF_RUNS = ['ts', 'te', 'utid'] as const;
type OfRuns = (typeof OF_RUNS)[number];
/** Columns of ready waits that are always there. */
const OF_WAITS = ['ts', 'utid'] as const;
type OfWaits = (typeof OF_WAITS)[number];

const NONE = new Uint32Array(0);
const NO_TIMES = new Float64Array(0);

/** Columns of ready waits, by their numbers, and their rows in the table. A number that is not there is NaN. */
type Picked<W extends string> = Readonly<Record<W | OfWaits | 'row', Float64Array>>;

/** What a walk back through time meets. What is given is good during the call. */
export interface WalksBack<R extends string, W extends string> {
  /** These runs come next, the last one first. */
  runs?(runs: Batch<R | OfRuns>): void;
  /** A run ended. */
  run(runs: Batch<R | OfRuns>['columns'], row: number): void;
  /** A ready wait began. It is told before a run that ended at the same time, but for one of the idle thread. */
  wait(waits: Picked<W>, wait: number): void;
}

/** What a walk back reads, besides times and threads. */
export interface WalkedBack<R extends string, W extends string> {
  /** Runs that touch it count, and ready waits that begin in it. */
  readonly range: Stretch;
  /** Of waits of this cause it tells. */
  readonly cause: 'wake' | 'preempted';
  readonly runs: readonly R[];
  readonly waits: readonly W[];
}

/**
 * Goes back through time, to the end of each run and the beginning of each ready wait. It holds a batch of each table, and the waits that
 * are open between two batches: not more for a longer trace.
 */
export async function walkBack<R extends string, W extends string>(
  tables: Tables,
  asked: WalkedBack<R, W>,
  tell: WalksBack<R, W>,
): Promise<void> {
  const [runs, waits] = [new RunsBack(tables, asked), new WaitsBack(tables, asked)];
  for (;;) {
    if (runs.at < 0) await runs.next(tell);
    if (waits.at < 0) await waits.next();
    if (runs.at < 0 && waits.at < 0) return;
    tellInTurn(runs, waits, tell);
  }
}

/** Passes on what was read. Stops where more runs or waits must be read to know what comes next. */
function tellInTurn<R extends string, W extends string>(
  runs: RunsBack<R>,
  waits: WaitsBack<W>,
  tell: WalksBack<R, W>,
): void {
  const { columns, range } = runs;
  const { picked, order } = waits;
  const [ts, te, begin] = [columns?.ts.values ?? NO_TIMES, columns?.te.values ?? NO_TIMES, picked.ts];
  const utid = columns?.utid.values ?? NO_TIMES;
  let [run, wait] = [runs.at, waits.at];
  while ((run >= 0 || runs.isDone) && (wait >= 0 || waits.isDone) && (run >= 0 || wait >= 0)) {
    const run_te = run >= 0 ? (te[run] ?? 0) : -Infinity;
    // The idle thread waits for nothing. Where lost events cut its run short, the run stands behind others that ended later.
    const isIdle = run >= 0 && utid[run] === 0;
    if (wait >= 0 && !isIdle) {
      const next = order[wait] ?? 0;
      if ((begin[next] ?? 0) >= run_te) {
        wait--;
        tell.wait(picked, next);
        continue;
      }
    }
    if (columns !== null && run_te > range.start && (ts[run] ?? 0) < range.end) tell.run(columns, run);
    run--;
  }
  [runs.at, waits.at] = [run, wait];
}

/** The runs of the batches that a range touches, the last one first. */
class RunsBack<R extends string> {
  readonly #batches: AsyncIterator<Batch<R | OfRuns>>;
  readonly range: Stretch;
  columns: Batch<R | OfRuns>['columns'] | null = null;
  /** The row that comes next; -1 where another batch must be read. */
  at = -1;
  isDone = false;

  constructor(tables: Tables, { range, runs }: WalkedBack<R, string>) {
    this.range = range;
    const columns = [...new Set<R | OfRuns>([...OF_RUNS, ...runs])];
    this.#batches = tables.batches('etw_run', columns, range, 'backwards')[Symbol.asyncIterator]();
  }

  /** Reads the batch before, or is done. */
  async next(tell: WalksBack<R, never>): Promise<void> {
    if (this.isDone) return;
    const next = await this.#batches.next();
    this.isDone = next.done === true;
    if (next.done === true) return;
    tell.runs?.(next.value);
    this.columns = next.value.columns;
    this.at = next.value.rowCount - 1;
  }
}

/** The ready waits that begin in a range, that which began last first; of equal beginnings that which ended last. */
class WaitsBack<W extends string> {
  readonly #batches: AsyncIterator<Batch<W | OfWaits | 'te' | 'cause'>>;
  readonly #range: Stretch;
  readonly #cause: string;
  readonly #names: readonly (W | OfWaits)[];
  readonly #kept: readonly (W | OfWaits | 'row')[];
  picked: Picked<W>;
  /** What was picked before: its memory is used again. */
  #spare: Picked<W>;
  /** The numbers of waits by their beginnings. */
  order: Uint32Array = NONE;
  /** The place in the order that comes next; -1 where another batch must be read. */
  at = -1;
  isDone = false;
  /** Waits that may have begun before others that were not read yet, by their beginnings. */
  #open: Uint32Array = NONE;

  constructor(tables: Tables, { range, cause, waits }: WalkedBack<string, W>) {
    this.#names = [...new Set<W | OfWaits>([...OF_WAITS, ...waits])];
    this.#kept = [...this.#names, 'row'];
    [this.#range, this.#cause] = [range, cause];
    [this.picked, this.#spare] = [this.#room(0), this.#room(0)];
    const columns = [...new Set<W | OfWaits | 'te' | 'cause'>([...this.#names, 'te', 'cause'])];
    this.#batches = tables.batches('etw_ready_wait', columns, range, 'backwards')[Symbol.asyncIterator]();
  }

  /** Reads batches before, until there is a wait to pass on, or no batch is left. */
  async next(): Promise<void> {
    while (this.at < 0 && !this.isDone) {
      const next = await this.#batches.next();
      this.isDone = next.done === true;
      if (next.done !== true) this.#take(next.value);
      else [this.order, this.#open] = [this.#open, NONE];
      this.at = this.order.length - 1;
    }
  }

  /** Picks waits of a batch, and puts those before them that are open: so all are in the order of the file. */
  #take(batch: Batch<W | OfWaits | 'te' | 'cause'>): void {
    const { columns, firstRow } = batch;
    const rows = rowsBegunIn(batch, this.#range, this.#cause);
    const count = rows.length;
    const open = this.#open;
    const all = count + open.length;
    const [before, into] = [this.picked, this.#roomFor(all)];
    for (const name of this.#names) pick(columns[name], rows, into[name]);
    numberFrom(firstRow, rows, into.row);
    for (const name of this.#kept) keep(before[name], open, into[name], count);
    [this.picked, this.#spare] = [into, before];
    const order = withOpen(orderOf(into.ts.subarray(0, count)), into.ts, all);
    // What was not read ended by then.
    const until = columns.te.values[0] ?? 0;
    const known = firstWhere(all, (place) => (into.ts[order[place] ?? 0] ?? 0) >= until);
    [this.#open, this.order] = [order.subarray(0, known), order.subarray(known)];
  }

  #roomFor(count: number): Picked<W> {
    return this.#spare.ts.length >= count ? this.#spare : this.#room(2 * count);
  }

  #room(count: number): Picked<W> {
    const entries = this.#kept.map((name) => [name, new Float64Array(count)] as const);
    return Object.fromEntries(entries) as Picked<W>;
  }
}

/** The order of waits with those behind them, up to `all`, which are in the order of their beginnings. */
function withOpen(order: Uint32Array, begin: Float64Array, all: number): Uint32Array {
  const merged = new Uint32Array(all);
  let [at, open] = [0, order.length];
  for (let place = 0; place < order.length; place++) {
    const wait = order[place] ?? 0;
    while (open < all && (begin[open] ?? 0) < (begin[wait] ?? 0)) merged[at++] = open++;
    merged[at++] = wait;
  }
  while (open < all) merged[at++] = open++;
  return merged;
}

/** Copies the values of some waits to those from a place on. */
function keep(values: Float64Array, waits: Uint32Array, into: Float64Array, place: number): void {
  for (let at = 0; at < waits.length; at++) into[place + at] = values[waits[at] ?? 0] ?? NaN;
}

// Loops of their own: code that goes on after a loop would be given up at the end of each loop.

/** The rows of a batch whose waits have a cause and begin in a range. */
function rowsBegunIn(
  { columns, rowCount }: Batch<OfWaits | 'te' | 'cause'>,
  { start, end }: Stretch,
  text: string,
): Uint32Array {
  const { ts, te, cause: causes } = columns;
  const rows = new Uint32Array(rowCount);
  const cause = causes.texts?.indexOf(text) ?? -1;
  return rows.subarray(0, pickBegun(ts.values, te.values, causes.values, cause, start, end, rows));
}

function pickBegun(
  ts: NumberValues,
  te: NumberValues,
  causes: NumberValues,
  cause: number,
  start: number,
  end: number,
  into: Uint32Array,
): number {
  let count = 0;
  for (let row = 0; row < into.length; row++) {
    const begin = ts[row] ?? 0;
    if (causes[row] === cause && begin >= start && begin < end && (te[row] ?? 0) > start) into[count++] = row;
  }
  return count;
}

function numberFrom(first: number, rows: Uint32Array, into: Float64Array): void {
  for (let at = 0; at < rows.length; at++) into[at] = first + (rows[at] ?? 0);
}

/** Copies the values of some rows, which ascend; NaN where there is none. */
function pick({ values, present }: Values, rows: Uint32Array, into: Float64Array): void {
  copyPicked(values, rows, into);
  if (present !== null) blankPicked(present, rows, into);
}

function copyPicked(values: NumberValues, rows: Uint32Array, into: Float64Array): void {
  for (let at = 0; at < rows.length; at++) into[at] = values[rows[at] ?? 0] ?? NaN;
}

function blankPicked(present: Uint8Array, rows: Uint32Array, into: Float64Array): void {
  for (let at = 0; at < rows.length; at++) if (present[rows[at] ?? 0] === 0) into[at] = NaN;
}
