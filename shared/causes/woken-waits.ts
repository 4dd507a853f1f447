import { grown, PairNumbers, type Stretch } from '../tables/index.ts';
import { outside } from './asleep.ts';
import type { BlockEvents } from './block-events.ts';
import type { Span } from './stretches.ts';

/** How long a thread waited for another one; for 0 or less: for what is no thread. */
export interface WaitsFor {
  readonly utid: number;
  readonly waker: number;
  readonly ns: number;
}

/** Sums how long each thread was blocked in a range until which thread woke it. Waits for work do not count. */
export class WokenWaits {
  readonly #range: Stretch;
  readonly #asleep: readonly Span[];
  /** By thread: when it will be woken, and by whom; -Infinity where it is not blocked, or blocked for work. */
  #wake_ts = new Float64Array(0);
  #waker = new Uint32Array(0);
  /** By thread: whom it waited for in the blocks at hand, and how long. */
  #last = new Uint32Array(0);
  #ns = new Float64Array(0);
  readonly #pairs = new PairNumbers();
  #sums = new Float64Array(1 << 10);

  constructor(range: Stretch, asleep: readonly Span[]) {
    [this.#range, this.#asleep] = [range, asleep];
  }

  /** Goes back through events. */
  take({ first_ts, backs, utids, wakers, greatest }: BlockEvents): void {
    this.#makeRoom(greatest);
    const [wake_ts, waker] = [this.#wake_ts, this.#waker];
    for (let at = 0; at < backs.length; at++) {
      const back = backs[at] ?? 0;
      const ts = first_ts - (back >>> 1);
      const utid = utids[at] ?? 0;
      const by = wakers[at] ?? 0;
      if (by === utid) this.#add(utid, ts);
      else {
        wake_ts[utid] = (back & 1) === 1 ? -Infinity : ts;
        waker[utid] = by;
      }
    }
  }

  /** The sums, when all events were gone through. `begunAt` says when a block begins that ends at a wake, and began before these events. */
  sums(begunAt: (utid: number, wake_ts: number) => number): WaitsFor[] {
    for (let utid = 0; utid < this.#ns.length; utid++) {
      const wake_ts = this.#wake_ts[utid] ?? -Infinity;
      if (wake_ts > -Infinity) this.#add(utid, begunAt(utid, wake_ts));
      this.#keep(utid);
    }
    const all = Array.from({ length: this.#pairs.count }, (_, pair) => ({
      utid: this.#pairs.first(pair),
      waker: this.#pairs.second(pair),
      ns: this.#sums[pair] ?? 0,
    }));
    return all.filter(({ ns }) => ns > 0);
  }

  /** A block began. */
  #add(utid: number, ts: number): void {
    const { start, end } = this.#range;
    const from = Math.max(ts, start);
    const until = Math.min(this.#wake_ts[utid] ?? -Infinity, end);
    this.#wake_ts[utid] = -Infinity;
    if (until <= from) return;
    if (this.#waker[utid] !== this.#last[utid]) this.#keep(utid);
    this.#ns[utid] = (this.#ns[utid] ?? 0) + outside(from, until, this.#asleep);
  }

  /** Keeps the sum of the blocks at hand. A look-up for each block would take most of the time. */
  #keep(utid: number): void {
    const pair = this.#pairs.of(utid, this.#last[utid] ?? 0);
    if (pair >= this.#sums.length) this.#sums = grown(this.#sums, new Float64Array(2 * pair));
    this.#sums[pair] = (this.#sums[pair] ?? 0) + (this.#ns[utid] ?? 0);
    this.#ns[utid] = 0;
    this.#last[utid] = this.#waker[utid] ?? 0;
  }

  #makeRoom(utid: number): void {
    const before = this.#waker.length;
    if (utid < before) return;
    const length = Math.max(1 << 10, 2 * utid);
    this.#wake_ts = grown(this.#wake_ts, new Float64Array(length).fill(-Infinity, before));
    this.#waker = grown(this.#waker, new Uint32Array(length));
    this.#last = grown(this.#last, new Uint32Array(length));
    this.#ns = grown(this.#ns, new Float64Array(length));
  }
}
