import { grown, type Batch, type NumberValues } from '../tables/index.ts';
import { greatest } from './greatest.ts';
import { BY_INTERRUPT } from './wakers.ts';

/** No wait. */
export const NO_WAIT = -1;

type WaitBatch = Batch<'ts' | 'te' | 'utid' | 'cause' | 'waker_utid' | 'last_switch_out_ts'>;

/** The ready waits of each thread that ended since its last run began: in columns, each in a slot. */
export class EndedWaits {
  ts = new Float64Array(0);
  te = new Float64Array(0);
  /** When the thread was switched out before; NaN where that is not known. */
  left_ts = new Float64Array(0);
  /** The thread that ended the block before, or what stands in for it. */
  waker = new Int32Array(0);
  /** 1 where a block was before. */
  isWake = new Uint8Array(0);
  /** The next wait of the same thread; of a free slot the next free one. */
  #next = new Int32Array(0);
  #used = 0;
  #free = NO_WAIT;
  /** The batch that waits are added of, and the next row. */
  #batch: WaitBatch | null = null;
  #row = 0;
  /** By thread. */
  #first = new Int32Array(0);
  #last = new Int32Array(0);

  /** Takes waits; those of a thread come in the order of their ends. The ones that were taken before are all added. */
  take(batch: WaitBatch): void {
    [this.#batch, this.#row] = [batch, 0];
  }

  /** Adds the waits that ended until then; false where more must be taken. */
  reach(until: number): boolean {
    const batch = this.#batch;
    if (batch === null) return false;
    const to = firstAfter(batch.columns.te.values, this.#row, batch.rowCount, until);
    this.#add(batch, this.#row, to);
    this.#row = to;
    return to < batch.rowCount;
  }

  #add({ columns }: WaitBatch, from: number, to: number): void {
    const [begins, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
    const { cause, waker_utid, last_switch_out_ts } = columns;
    const [causes, hasCause] = [cause.values, cause.present];
    const [wakers, hasWaker] = [waker_utid.values, waker_utid.present];
    const [lefts, hasLeft] = [last_switch_out_ts.values, last_switch_out_ts.present];
    const wake = cause.texts?.indexOf('wake') ?? NO_WAIT;
    this.#makeRoom(to - from, greatest(utids, from, to));
    const { ts, te, left_ts, waker, isWake } = this;
    const [first, last, next] = [this.#first, this.#last, this.#next];
    for (let row = from; row < to; row++) {
      const utid = utids[row] ?? 0;
      const slot = this.#take();
      ts[slot] = begins[row] ?? 0;
      te[slot] = ends[row] ?? 0;
      const hasLeftTs = hasLeft === null || hasLeft[row] === 1;
      left_ts[slot] = hasLeftTs ? (lefts[row] ?? NaN) : NaN;
      const by = hasWaker === null || hasWaker[row] === 1 ? (wakers[row] ?? 0) : 0;
      waker[slot] = by > 0 ? by : BY_INTERRUPT;
      const isKnown = hasCause === null || hasCause[row] === 1;
      isWake[slot] = isKnown && causes[row] === wake ? 1 : 0;
      next[slot] = NO_WAIT;
      if (first[utid] === NO_WAIT) first[utid] = slot;
      else next[last[utid] ?? 0] = slot;
      last[utid] = slot;
    }
  }

  /** The wait that a switch-in at `ts` ended. Those before it are let go. */
  until(utid: number, ts: number): number {
    if (utid >= this.#first.length) return NO_WAIT;
    const begun = this.#first[utid] ?? NO_WAIT;
    let wait = begun;
    while (wait !== NO_WAIT && (this.te[wait] ?? 0) < ts) {
      const next = this.#next[wait] ?? NO_WAIT;
      this.#next[wait] = this.#free;
      this.#free = wait;
      wait = next;
    }
    if (wait !== begun) this.#first[utid] = wait;
    return wait !== NO_WAIT && this.te[wait] === ts ? wait : NO_WAIT;
  }

  /** The last wait, if it began at `ts` or later: it did not end. */
  openAfter(utid: number, ts: number): number {
    // What was let go had ended before the last run.
    if ((this.#first[utid] ?? NO_WAIT) === NO_WAIT) return NO_WAIT;
    const last = this.#last[utid] ?? NO_WAIT;
    return (this.ts[last] ?? NaN) >= ts ? last : NO_WAIT;
  }

  /** A free slot, of which there must be one. */
  #take(): number {
    const slot = this.#free;
    if (slot === NO_WAIT) return this.#used++;
    this.#free = this.#next[slot] ?? NO_WAIT;
    return slot;
  }

  /** Has room for so many waits more, and for a thread. */
  #makeRoom(waits: number, utid: number): void {
    if (utid >= this.#first.length) {
      this.#first = grown(this.#first, new Int32Array(2 * utid + 1).fill(NO_WAIT));
      this.#last = grown(this.#last, new Int32Array(2 * utid + 1).fill(NO_WAIT));
    }
    const length = this.#used + waits;
    if (length <= this.ts.length) return;
    this.ts = grown(this.ts, new Float64Array(2 * length));
    this.te = grown(this.te, new Float64Array(2 * length));
    this.left_ts = grown(this.left_ts, new Float64Array(2 * length));
    this.waker = grown(this.waker, new Int32Array(2 * length));
    this.isWake = grown(this.isWake, new Uint8Array(2 * length));
    this.#next = grown(this.#next, new Int32Array(2 * length));
  }
}

/** The first place whose value is above a bound. The values rise. */
function firstAfter(values: NumberValues, from: number, to: number, bound: number): number {
  let at = from;
  while (at < to && (values[at] ?? 0) <= bound) at++;
  return at;
}
