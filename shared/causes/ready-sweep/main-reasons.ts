import type { Query } from '../../engine/index.ts';
import { WHYS } from '../../why-late/index.ts';
import type { WaitRows } from '../history.ts';
import type { RowNumbers } from '../rows.ts';
import { divideWaits, SEVERAL, type TellWait } from './divide-waits.ts';
import { stretchReader } from './stretch-reader.ts';

const NOT_EXPLAINED = WHYS.indexOf('not_explained');
const NOT_RECORDED = WHYS.indexOf('not_recorded');

/**
 * What is called with rows of ready waits, and by row the main reason of each: the place in `WHYS`. The next rows wait for what it
 * promises.
 */
export type TellReasons = (waits: WaitRows, rows: Uint32Array, whys: Uint8Array) => void | Promise<void>;

/** The main reason of each ready wait of a trace, in the order of their ends. `runCount` says how many runs the trace has, about. */
export async function eachMainReason(query: Query, runCount: number, tell: TellReasons): Promise<void> {
  const { machine, judged, count, read } = await stretchReader(query, runCount);
  const { start_ts, end_ts } = machine;
  const step_ns = Math.max(1, Math.ceil((end_ts - start_ts) / count));
  const reasons = new MainReasons();
  // One for all stretches: code that calls another one is compiled again.
  const add: TellWait = (row, ns, only) => {
    reasons.add(row, ns, only);
  };
  for (let stretch = 0; stretch < count; stretch++) {
    const ts = start_ts + stretch * step_ns;
    const within = { ts, te: Math.min(end_ts, ts + step_ns) };
    const by = await read({ start: within.ts, end: within.te });
    const { waits } = by.history;
    const [isFirst, isLast] = [stretch === 0, stretch === count - 1];
    reasons.begin(waits, isFirst ? -Infinity : ts, isLast ? Infinity : within.te);
    divideWaits(by, judged, within, add);
    await tell(waits, reasons.rows(), reasons.whys);
  }
}

/** The main reasons of the waits that end in a stretch of time, which may have begun in others. */
class MainReasons {
  /** By row, once all waits of a stretch were added. */
  whys = new Uint8Array(0);
  #starts: RowNumbers = new Float64Array(0);
  #ends: RowNumbers = new Float64Array(0);
  #utids: RowNumbers = new Float64Array(0);
  #after_ts = NaN;
  #until_ts = NaN;
  /** What is known of waits that go on after the stretch. */
  readonly #unended = new Map<string, Float64Array>();

  /** Goes on to the stretch after a time, which ends with another. */
  begin(waits: WaitRows, after_ts: number, until_ts: number): void {
    this.whys = new Uint8Array(waits.count).fill(NOT_EXPLAINED);
    [this.#starts, this.#ends] = [waits.column('ts'), waits.column('te')];
    this.#utids = waits.column('utid');
    [this.#after_ts, this.#until_ts] = [after_ts, until_ts];
  }

  /** Adds the time of a wait within the stretch, by reason; see {@link TellWait}. */
  add(row: number, ns: Float64Array, only: number): void {
    const from = this.#starts[row] ?? 0;
    const isEnding = this.#isEnding(row);
    if (isEnding && from >= this.#after_ts) {
      this.whys[row] = only === SEVERAL ? mainReason(ns) : explained(only);
      return;
    }
    const key = `${this.#utids[row] ?? 0} ${from}`;
    const all = sumOf(this.#unended.get(key), ns);
    if (!isEnding) {
      this.#unended.set(key, all);
      return;
    }
    this.whys[row] = mainReason(all);
    this.#unended.delete(key);
  }

  /** The waits that end in the stretch. */
  rows(): Uint32Array {
    const rows = new Uint32Array(this.whys.length);
    let count = 0;
    for (let row = 0; row < rows.length; row++) if (this.#isEnding(row)) rows[count++] = row;
    return rows.subarray(0, count);
  }

  #isEnding(row: number): boolean {
    const te = this.#ends[row] ?? 0;
    return te > this.#after_ts && te <= this.#until_ts;
  }
}

function sumOf(before: Float64Array | undefined, ns: Float64Array): Float64Array {
  if (before === undefined) return ns.slice();
  for (let why = 0; why < ns.length; why++) before[why] = (before[why] ?? 0) + (ns[why] ?? 0);
  return before;
}

/** That of the longest time; of equal ones the first. What was not recorded explains nothing. */
function mainReason(ns: Float64Array): number {
  let main = NOT_EXPLAINED;
  let most_ns = 0;
  for (let why = 0; why < ns.length; why++) {
    const of_ns = ns[why] ?? 0;
    if (of_ns <= most_ns) continue;
    main = why;
    most_ns = of_ns;
  }
  return explained(main);
}

function explained(why: number): number {
  return why === NOT_RECORDED ? NOT_EXPLAINED : why;
}
