import { grown, type Batch, type Stretch, type Tables } from '../tables/index.ts';

/** The wait reasons of threads that wait for work: no work is late while they wait. */
export const FOR_WORK: ReadonlySet<string> = new Set(['WrQueue', 'WrLpcReceive']);

const RUNS = ['ts', 'te', 'utid', 'switch_out_wait_reason'] as const;
const WAITS = ['ts', 'te', 'utid'] as const;

/** A set of small whole numbers, a bit each. */
export class Flags {
  #bits = new Uint8Array(1 << 10);

  add(number: number): void {
    const byte = number >>> 3;
    if (byte >= this.#bits.length) this.#bits = grown(this.#bits, new Uint8Array(2 * byte));
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (number & 7));
  }

  has(number: number): boolean {
    return ((this.#bits[number >>> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }
}

/** The rows of `etw_ready_wait` whose threads had blocked for work before: by the last of the runs that touch a range. */
export async function waitsForWork(tables: Tables, range: Stretch): Promise<Flags> {
  const found = new ForWork(range);
  const runs = tables.batches('etw_run', RUNS, range)[Symbol.asyncIterator]();
  const waits = tables.batches('etw_ready_wait', WAITS, range)[Symbol.asyncIterator]();
  for (;;)
    switch (found.goOn()) {
      case 'runs':
        found.take(await runs.next());
        break;
      case 'waits': {
        const read = await waits.next();
        if (read.done === true) return found.flags;
        found.takeWaits(read.value);
      }
    }
}

type Runs = Batch<(typeof RUNS)[number]>;
type Waits = Batch<(typeof WAITS)[number]>;

/** Goes through runs and ready waits together, in the order of their ends. */
class ForWork {
  readonly flags = new Flags();
  readonly #range: Stretch;
  #runs: Runs | null = null;
  #run = 0;
  /** By the number of a wait reason: 1 if it is for work. */
  #isWork = new Uint8Array(0);
  #areRunsDone = false;
  #waits: Waits | null = null;
  #wait = 0;
  /** By thread, when the last run ended and the one before, and 1 if the thread then blocked for work. */
  #last_te = new Float64Array(0);
  #before_te = new Float64Array(0);
  #last = new Uint8Array(0);
  #before = new Uint8Array(0);

  constructor(range: Stretch) {
    this.#range = range;
  }

  take({ value, done }: IteratorResult<Runs>): void {
    [this.#run, this.#areRunsDone] = [0, done === true];
    this.#runs = done === true ? null : value;
    const reasons = this.#runs?.columns.switch_out_wait_reason.texts ?? [];
    this.#isWork = Uint8Array.from(reasons, (text) => Number(FOR_WORK.has(text)));
  }

  takeWaits(waits: Waits): void {
    [this.#waits, this.#wait] = [waits, 0];
  }

  /** Goes on, and says of what more must be read. */
  goOn(): 'runs' | 'waits' {
    const waits = this.#waits;
    if (waits === null) return 'waits';
    const { ts, te, utid } = waits.columns;
    for (; this.#wait < waits.rowCount; this.#wait++) {
      if (!this.#runTo(te.values[this.#wait] ?? 0)) return 'runs';
      const of = utid.values[this.#wait] ?? 0;
      if (this.#isForWork(of, ts.values[this.#wait] ?? 0)) this.flags.add(waits.firstRow + this.#wait);
    }
    return 'waits';
  }

  /** Takes in the runs that end until then; false where more must be read. */
  #runTo(end: number): boolean {
    if (this.#areRunsDone) return true;
    const runs = this.#runs;
    if (runs === null) return false;
    const { ts, te, utid, switch_out_wait_reason: reason } = runs.columns;
    const isWork = this.#isWork;
    for (; this.#run < runs.rowCount; this.#run++) {
      const row = this.#run;
      const run_te = te.values[row] ?? 0;
      if (run_te > end) return true;
      if (run_te <= this.#range.start || (ts.values[row] ?? 0) >= this.#range.end) continue;
      const of = utid.values[row] ?? 0;
      if (of >= this.#last.length) this.#makeRoom(2 * of);
      this.#before_te[of] = this.#last_te[of] ?? NaN;
      this.#before[of] = this.#last[of] ?? 0;
      this.#last_te[of] = run_te;
      this.#last[of] = reason.present?.[row] === 0 ? 0 : (isWork[reason.values[row] ?? -1] ?? 0);
    }
    return false;
  }

  /** Whether a thread that became ready at `ts` had blocked for work. It may have become ready before its run ended. */
  #isForWork(utid: number, ts: number): boolean {
    if ((this.#last_te[utid] ?? NaN) <= ts) return this.#last[utid] === 1;
    return (this.#before_te[utid] ?? NaN) <= ts && this.#before[utid] === 1;
  }

  #makeRoom(threads: number): void {
    this.#last_te = grown(this.#last_te, new Float64Array(threads).fill(NaN));
    this.#before_te = grown(this.#before_te, new Float64Array(threads).fill(NaN));
    this.#last = grown(this.#last, new Uint8Array(threads));
    this.#before = grown(this.#before, new Uint8Array(threads));
  }
}
