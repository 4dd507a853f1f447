import { grown, type Batch, type Stretch, type Tables } from '../tables/index.ts';
import { EndedWaits, NO_WAIT } from './ended-waits.ts';
import { greatest } from './greatest.ts';
import { BY_INTERRUPT, NO_READY_EVENT, NOT_ENDED } from './wakers.ts';

/** A stretch of time in which a thread was blocked, in ns. */
export interface Block {
  readonly utid: number;
  /** The switch-out that began it. */
  readonly ts: number;
  /** When the thread was woken; without a ready event when it was switched in; else when the recording ends. */
  readonly te: number;
  /** The switch-in after it; NaN where that was not recorded. */
  readonly in_ts: number;
  /** The thread that ended it, or what stands in for it in `WAKERS`. */
  readonly waker: number;
  /** An index into the wait reasons. */
  readonly reason: number;
  /** The number of the run after it, which it is told with; of those that do not end, numbers above these of all runs. */
  readonly order: number;
  /** Whether the stretch of the recording that has the run after it has the run before it, too. */
  readonly isWithinStretch: boolean;
}

/**
 * What is called with a block, which is good until the next call, and with why threads had blocked (`KWAIT_REASON`), as far as it is known by
 * then; null where that was not recorded.
 */
export type TellBlock = (block: Block, reasons: readonly (string | null)[]) => void;

const RUN_COLUMNS = ['ts', 'te', 'utid', 'switch_out_state', 'switch_out_wait_reason'] as const;
const WAIT_COLUMNS = ['ts', 'te', 'utid', 'cause', 'waker_utid', 'last_switch_out_ts'] as const;
type RunBatch = Batch<(typeof RUN_COLUMNS)[number]>;

/**
 * Passes on all blocks of a recording, by the ends of the runs after them. Blocks of one thread come in the order of time. A block
 * whose beginning was not recorded is left out. Only what each thread did last is held. `reasons`: those that are known by then.
 */
export async function eachBlock(tables: Tables, tell: TellBlock, reasons?: (string | null)[]): Promise<void> {
  await new Blocks(tell, reasons).readAll(tables);
}

/** Runs that follow one another: their numbers, and from when until when they end. */
export interface RunStretch {
  readonly firstRow: number;
  /** One more than the last. */
  readonly endRow: number;
  readonly from_ts: number;
  readonly until_ts: number;
}

/** How the last run of a thread ended: it is not known, the thread was blocked then, or it was not. */
const [UNKNOWN, WAITING, OTHER] = [0, 1, 2];

/** So many runs are gone through at once. The waits that they ended are still near the processor. */
const RUNS_AT_ONCE = 4096;

/** Finds blocks where it goes through runs and ready waits. */
export class Blocks {
  readonly #tell: TellBlock;
  readonly #waits = new EndedWaits();
  readonly #block = {
    ...{ utid: 0, ts: NaN, te: NaN, in_ts: NaN, waker: 0, reason: 0, order: 0 },
    isWithinStretch: false,
  };
  readonly #reasons: (string | null)[];
  /** By the number of a text of the batch at hand: the number of the reason. */
  #texts: readonly string[] | null = null;
  #numbers: Uint8Array = new Uint8Array(0);
  /** The last run of each thread: the stretch that it is in, 0 where there is none; its end, how it ended, and the reason. */
  #stretchOf = new Uint32Array(1 << 10);
  #te = new Float64Array(1 << 10);
  #state = new Uint8Array(1 << 10);
  #reason = new Uint8Array(1 << 10);
  /** The number of the stretch that is gone through, and when its first run ends. */
  #stretch = 0;
  #stretch_ts = NaN;
  #end_ts = 0;

  /** `reasons`: those that are known by then. */
  constructor(tell: TellBlock, reasons: (string | null)[] = [null]) {
    this.#tell = tell;
    this.#reasons = reasons;
  }

  /** Goes through a recording, in stretches of so many runs. Ends where `onStretch` gives false after one. */
  async readAll(
    tables: Tables,
    stretchRows = Number.MAX_SAFE_INTEGER,
    onStretch: (runs: RunStretch) => boolean = () => true,
  ): Promise<void> {
    let [firstRow, endRow, goesOn] = [0, 0, true];
    const endStretch = (): boolean => {
      goesOn = onStretch({ firstRow, endRow, from_ts: this.#stretch_ts, until_ts: this.#end_ts });
      return goesOn;
    };
    await this.#read(tables, undefined, (runs, first, end) => {
      let from = first;
      while (from < end) {
        if (endRow === firstRow + stretchRows) {
          if (!endStretch()) return false;
          firstRow = endRow;
        }
        if (endRow === firstRow) this.#beginStretch(runs.columns.te.values[from] ?? 0);
        const to = Math.min(end, from + firstRow + stretchRows - endRow);
        this.#addRuns(runs, from, to);
        endRow += to - from;
        from = to;
      }
      return true;
    });
    if (!goesOn) return;
    endStretch();
    this.#finish(endRow);
  }

  /** Goes through the runs of a stretch. */
  async readStretch(tables: Tables, { firstRow, endRow, from_ts, until_ts }: RunStretch): Promise<void> {
    this.#beginStretch(from_ts);
    // From 1 ns before on, and until 1 ns after: what has no length touches only what is around it.
    await this.#read(tables, { start: from_ts - 1, end: until_ts + 1 }, (runs, first, end) => {
      const from = Math.max(first, firstRow - runs.firstRow);
      const to = Math.min(end, endRow - runs.firstRow);
      if (from < to) this.#addRuns(runs, from, to);
      return runs.firstRow + end < endRow;
    });
  }

  #beginStretch(ts: number): void {
    this.#stretch++;
    this.#stretch_ts = ts;
  }

  /** Reads runs, some at once, as long as `takeRuns` gives true; and before these all ready waits that ended until then. */
  async #read(
    tables: Tables,
    range: Stretch | undefined,
    takeRuns: (runs: RunBatch, from: number, to: number) => boolean,
  ): Promise<void> {
    const how = range === undefined ? 'once' : undefined;
    const batches = tables.batches('etw_ready_wait', WAIT_COLUMNS, range, how)[Symbol.asyncIterator]();
    const readWaits = async (until: number): Promise<void> => {
      while (!this.#waits.reach(until)) {
        const next = await batches.next();
        if (next.done === true) return;
        this.#waits.take(next.value);
      }
    };
    for await (const runs of tables.batches('etw_run', RUN_COLUMNS, range, how))
      for (let from = 0; from < runs.rowCount; from += RUNS_AT_ONCE) {
        const to = Math.min(runs.rowCount, from + RUNS_AT_ONCE);
        const until = runs.columns.te.values[to - 1] ?? 0;
        if (!this.#waits.reach(until)) await readWaits(until);
        if (!takeRuns(runs, from, to)) return;
      }
    await readWaits(Infinity);
  }

  #addRuns({ firstRow, columns }: RunBatch, from: number, to: number): void {
    const [begins, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
    const { switch_out_state: state, switch_out_wait_reason: reason } = columns;
    const [states, hasState] = [state.values, state.present];
    const [reasons, hasReason] = [reason.values, reason.present];
    const stateOf = Uint8Array.from(state.texts ?? [], (text) => (text === 'Waiting' ? WAITING : OTHER));
    if (reason.texts !== this.#texts) {
      this.#texts = reason.texts;
      this.#numbers = Uint8Array.from(reason.texts ?? [], (text) => this.#numberOf(text));
    }
    const reasonOf = this.#numbers;
    this.#makeRoom(greatest(utids, from, to));
    const waits = this.#waits;
    const [stretchOf, lastTe, stretch] = [this.#stretchOf, this.#te, this.#stretch];
    const [lastState, lastReason] = [this.#state, this.#reason];
    for (let row = from; row < to; row++) {
      const utid = utids[row] ?? 0;
      if (utid === 0) continue;
      const ts = begins[row] ?? 0;
      const wait = waits.until(utid, ts);
      const before = lastState[utid] ?? UNKNOWN;
      if (before === WAITING || (before === UNKNOWN && wait !== NO_WAIT))
        this.#add(utid, wait, ts, ts, firstRow + row);
      stretchOf[utid] = stretch;
      lastTe[utid] = ends[row] ?? 0;
      const isKnown = hasState === null || hasState[row] === 1;
      lastState[utid] = isKnown ? (stateOf[states[row] ?? 0] ?? UNKNOWN) : UNKNOWN;
      const isGiven = hasReason === null || hasReason[row] === 1;
      lastReason[utid] = isGiven ? (reasonOf[reasons[row] ?? 0] ?? 0) : 0;
    }
    this.#end_ts = Math.max(this.#end_ts, ends[to - 1] ?? 0);
  }

  /** Tells what did not end, after so many runs. */
  #finish(rowCount: number): void {
    this.#beginStretch(this.#end_ts);
    for (let utid = 0; utid < this.#te.length; utid++) {
      if (this.#stretchOf[utid] === 0) continue;
      const wait = this.#waits.openAfter(utid, this.#te[utid] ?? 0);
      this.#add(utid, wait, this.#end_ts, NaN, rowCount + utid);
    }
  }

  /** What a thread did between its last run and `ts`, if that was to be blocked; `wait` is the ready wait in between. */
  #add(utid: number, wait: number, ts: number, in_ts: number, order: number): void {
    const state = this.#state[utid] ?? UNKNOWN;
    if (state === OTHER) return;
    const waits = this.#waits;
    const isWoken = wait !== NO_WAIT && waits.isWake[wait] === 1;
    // A compact context switch tells no state: that the thread was woken tells it, too.
    if (state === UNKNOWN && !isWoken) return;
    const from = state === WAITING ? (this.#te[utid] ?? ts) : (waits.left_ts[wait] ?? NaN);
    const until = isWoken ? (waits.ts[wait] ?? ts) : ts;
    if (!(until > from)) return;
    const block = this.#block;
    block.utid = utid;
    block.ts = from;
    block.te = until;
    block.in_ts = in_ts;
    block.reason = state === WAITING ? (this.#reason[utid] ?? 0) : 0;
    const unseen = Number.isNaN(in_ts) ? NOT_ENDED : NO_READY_EVENT;
    block.waker = isWoken ? (waits.waker[wait] ?? BY_INTERRUPT) : unseen;
    block.order = order;
    block.isWithinStretch = this.#stretchOf[utid] === this.#stretch && from >= this.#stretch_ts;
    this.#tell(block, this.#reasons);
  }

  #numberOf(reason: string): number {
    const known = this.#reasons.indexOf(reason);
    return known < 0 ? this.#reasons.push(reason) - 1 : known;
  }

  /** Has room for a thread. */
  #makeRoom(utid: number): void {
    if (utid < this.#te.length) return;
    this.#stretchOf = grown(this.#stretchOf, new Uint32Array(2 * utid));
    this.#te = grown(this.#te, new Float64Array(2 * utid));
    this.#state = grown(this.#state, new Uint8Array(2 * utid));
    this.#reason = grown(this.#reason, new Uint8Array(2 * utid));
  }
}
