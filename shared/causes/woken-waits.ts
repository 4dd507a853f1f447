import { grown, PairNumbers } from '../tables/index.ts';
import { outside } from './asleep.ts';
import type { BlockEvents } from './block-events.ts';
import type { Span } from './stretches.ts';

/** How long a thread waited for another one; for 0 or less: for what is no thread. */
export interface WaitsFor {
  readonly utid: number;
  readonly waker: number;
  readonly ns: number;
}

/** Of each thread two numbers: 1 while it is blocked, and the sum of its blocks at hand; of one that has not begun yet, the end. */
const OF_THREAD = 2;

/** Sums how long each thread was blocked until which thread woke it, as far back as events were gone through. Waits for work do not count. */
export class WokenWaits {
  readonly #asleep: readonly Span[];
  readonly #pairs: PairNumbers;
  #threads = new Float64Array(0);
  /** By thread: whom it waited for in the blocks at hand. */
  #wakers = new Uint32Array(0);
  /** By pair: the blocks that are not at hand. */
  #sums = new Float64Array(0);

  constructor(asleep: readonly Span[], pairs = new PairNumbers()) {
    [this.#asleep, this.#pairs] = [asleep, pairs];
  }

  /** The same, to go on otherwise. The numbers of pairs are common to both. */
  copy(): WokenWaits {
    const copy = new WokenWaits(this.#asleep, this.#pairs);
    copy.#threads = this.#threads.slice();
    copy.#wakers = this.#wakers.slice();
    copy.#sums = this.#sums.slice(0, this.#pairs.count);
    return copy;
  }

  /** How many numbers it holds. */
  get size(): number {
    return this.#threads.length + this.#wakers.length + this.#sums.length;
  }

  /** Goes back through events, as far as they are not before `ts`. */
  take(events: BlockEvents, ts = -Infinity): void {
    this.#makeRoom(events.greatest);
    const { first_ts, backs } = events;
    const timeOf = (at: number) => first_ts - ((backs[at] ?? 0) >>> 1);
    let to = backs.length;
    while (to > 0 && timeOf(to - 1) < ts) to--;
    const last_ts = timeOf(to - 1);
    if (!this.#asleep.some((span) => span.ts < first_ts && span.te > last_ts))
      this.#pass(events, 0, to, this.#awake(first_ts));
    else
      for (let at = 0; at < to; at++)
        this.#pass(events, at, at + 1, this.#awake(timeOf(at)) + first_ts - timeOf(at));
  }

  /** The sums, by pair. `begunAt` says when the block of a thread began that is blocked. */
  sumsFrom(begunAt: (utid: number) => number): Float64Array {
    const copy = this.copy();
    const threads = copy.#threads;
    for (let utid = 0; utid < copy.#wakers.length; utid++) {
      const at = OF_THREAD * utid;
      if (threads[at] === 1) threads[at + 1] = (threads[at + 1] ?? 0) - this.#awake(begunAt(utid));
      copy.#keep(utid);
    }
    return copy.#sums;
  }

  /** Passes some events; `first` is how long the machine was awake until the first of all. */
  #pass({ backs, utids, wakers }: BlockEvents, from: number, to: number, first: number): void {
    const [threads, last] = [this.#threads, this.#wakers];
    for (let at = from; at < to; at++) {
      const back = backs[at] ?? 0;
      const utid = utids[at] ?? 0;
      const by = wakers[at] ?? 0;
      // Ends and beginnings of blocks come as chance has it: with a branch for each, guesses that fail would take most of the time.
      const other = by ^ utid;
      const isBlocked = ((other | -other) >>> 31) & ~back;
      if (isBlocked * ((last[utid] ?? 0) ^ by) !== 0) {
        this.#keep(utid);
        last[utid] = by;
      }
      const of = OF_THREAD * utid;
      const more = isBlocked - (threads[of] ?? 0);
      threads[of + 1] = (threads[of + 1] ?? 0) + more * (first - (back >>> 1));
      threads[of] = isBlocked;
    }
  }

  /** Keeps the sum of the blocks at hand. A look-up for each block would take most of the time. */
  #keep(utid: number): void {
    const at = OF_THREAD * utid + 1;
    const ns = this.#threads[at] ?? 0;
    if (ns === 0) return;
    this.#threads[at] = 0;
    const pair = this.#pairs.of(utid, this.#wakers[utid] ?? 0);
    if (pair >= this.#sums.length) this.#sums = grown(this.#sums, new Float64Array(2 * pair + (1 << 8)));
    this.#sums[pair] = (this.#sums[pair] ?? 0) + ns;
  }

  /** How long the machine was awake until `ts`, in ns, from a time on that is the same for all. */
  #awake(ts: number): number {
    return outside(0, ts, this.#asleep);
  }

  #makeRoom(utid: number): void {
    if (utid < this.#wakers.length) return;
    const length = Math.max(1 << 10, 2 * utid);
    this.#threads = grown(this.#threads, new Float64Array(OF_THREAD * length));
    this.#wakers = grown(this.#wakers, new Uint32Array(length));
  }
}
