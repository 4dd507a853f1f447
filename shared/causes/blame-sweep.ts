import { grown, type Stretch } from '../tables/index.ts';
import { outside } from './asleep.ts';
import type { BlockEvents } from './block-events.ts';
import type { Span } from './stretches.ts';

/** Instants of threads, in the order of time. */
export interface Instants {
  readonly ts: ArrayLike<number>;
  readonly utid: ArrayLike<number>;
}

/** What else a sweep is asked. */
export interface SweepQuestions {
  /** Numbers what ended a block behind which no thread stands. */
  readonly enderOf?: (wake_ts: number) => number;
  /** Instants of threads that are to blame, or not, then. */
  readonly instants?: Instants;
  /** Told how many others waited for a thread, stretch by stretch; not while the machine slept. */
  readonly onWaited?: TellWaited;
}

/** How threads stand at an instant, and their sums from there on. By thread. */
export interface BlameState {
  /** Whom it hands its waits to; 0 for none. */
  readonly waker: Uint32Array;
  /** 1 if its own wait counts. */
  readonly own: Uint8Array;
  /** 1 while it is blocked with no thread behind. */
  readonly isBlocked: Uint8Array;
  readonly active_ns: Float64Array;
  readonly blocked_ns: Float64Array;
}

/** So many others waited for a thread from `ts` to `te`. */
export type TellWaited = (utid: number, ts: number, te: number, others: number) => void;

/** No thread: no key of a thread that blocks is 0. */
const NONE = 0;

/**
 * Goes back through time. A thread that is blocked stands for all who wait for it, and for itself, and hands them to the thread that will
 * wake it: so the threads are trees at each instant, and the root of each is to blame.
 */
export class BlameSweep {
  readonly #range: Stretch;
  readonly #asleep: readonly Span[];
  /** By thread: whom it hands its waits to, how many others wait for it, 1 if its own wait counts. */
  #waker = new Uint32Array(0);
  #others = new Int32Array(0);
  #own = new Uint8Array(0);
  /** By thread: until when it was blocked across the start of the range. It is not seen there whether that was for work: it counts. */
  #across_ts = new Float64Array(0);
  readonly #wokenAcross: ReadonlyMap<number, number>;
  /** By thread: 1 while it is blocked with no thread behind, and until when its sums are made. */
  #isBlocked = new Uint8Array(0);
  #summed_ts = new Float64Array(0);
  #active_ns = new Float64Array(0);
  #blocked_ns = new Float64Array(0);
  /** What ended the block of each thread that is blocked with no thread behind; and how long others waited for each of these. */
  #ender = new Int32Array(0);
  readonly #ofEnder: number[] = [];
  readonly #enderOf: ((wake_ts: number) => number) | null;
  readonly #onWaited: TellWaited | null;
  readonly #instants: Instants;
  /** The time that was gone back to. In an array: memory would be made for a time that functions are given. */
  readonly #now = new Float64Array(1);
  /** How many waited for the thread of each instant, and the instant that comes next. */
  readonly #waiting: Float64Array;
  #instant: number;
  #oddities = 0;
  #least_ts: number;

  constructor(
    range: Stretch,
    asleep: readonly Span[],
    { enderOf, instants = { ts: [], utid: [] }, onWaited }: SweepQuestions = {},
    wokenAcross: ReadonlyMap<number, number> = new Map(),
  ) {
    [this.#enderOf, this.#instants, this.#onWaited] = [enderOf ?? null, instants, onWaited ?? null];
    this.#waiting = new Float64Array(instants.ts.length);
    this.#instant = instants.ts.length - 1;
    [this.#range, this.#asleep, this.#wokenAcross] = [range, asleep, wokenAcross];
    this.#least_ts = range.end;
  }

  /**
   * How many events were not as they should be: later than one before, a wake of a thread that is blocked until a later wake, or one by a
   * thread that was blocked itself.
   */
  get oddities(): number {
    return this.#oddities;
  }

  /** The earliest time of an event that was gone through. */
  get least_ts(): number {
    return this.#least_ts;
  }

  /** How long others waited while what they waited for was blocked with no thread behind, by the number of what ended that block. */
  enderSums(): readonly number[] {
    return this.#ofEnder;
  }

  /** How many others waited at each instant for its thread, which was active and waited for no other thread. */
  waitingAt(): Float64Array {
    return this.#waiting;
  }

  /** How long others waited for each thread while it ran or was ready, and while it was blocked with no thread behind. */
  sums(): { readonly active_ns: Float64Array; readonly blocked_ns: Float64Array } {
    return { active_ns: this.#active_ns, blocked_ns: this.#blocked_ns };
  }

  /** How threads stand, below a key, and their sums until `ts`: the events to come are not later. */
  stateAt(ts: number, threads: number): BlameState {
    this.#makeRoom(threads - 1);
    const state = {
      waker: this.#waker.slice(0, threads),
      own: this.#own.slice(0, threads),
      isBlocked: this.#isBlocked.slice(0, threads),
      active_ns: this.#active_ns.slice(0, threads),
      blocked_ns: this.#blocked_ns.slice(0, threads),
    };
    for (let utid = 0; utid < threads; utid++) {
      const others = this.#others[utid] ?? 0;
      if (others === 0 || state.waker[utid] !== NONE) continue;
      const sums = state.isBlocked[utid] === 1 ? state.blocked_ns : state.active_ns;
      const until = Math.max(ts, this.#summed_ts[utid] ?? ts);
      sums[utid] = (sums[utid] ?? 0) + others * outside(ts, until, this.#asleep);
    }
    return state;
  }

  /** Goes on from `ts`, as if the events before had led to this. */
  goOnFrom(ts: number, { waker, own, isBlocked, active_ns, blocked_ns }: BlameState): void {
    this.#makeRoom(waker.length - 1);
    this.#waker.set(waker);
    this.#own.set(own);
    this.#isBlocked.set(isBlocked);
    this.#active_ns.set(active_ns);
    this.#blocked_ns.set(blocked_ns);
    this.#summed_ts.fill(ts);
    this.#others.fill(0);
    for (let utid = 0; utid < own.length; utid++) addAbove(this.#others, waker, utid, own[utid] ?? 0);
  }

  /** Goes back through events, as far as they are of the range. */
  take({ first_ts, backs, utids, wakers, greatest }: BlockEvents): void {
    this.#makeRoom(greatest);
    const { start, end } = this.#range;
    // Through the fields each look at a thread would take twice as long.
    const [waker, others, own] = [this.#waker, this.#others, this.#own];
    const [isBlocked, summed_ts, across_ts, now] = [
      this.#isBlocked,
      this.#summed_ts,
      this.#across_ts,
      this.#now,
    ];
    const hasInstants = this.#instant >= 0;
    let least_ts = this.#least_ts;
    let oddities = 0;
    for (let at = 0; at < backs.length; at++) {
      const back = backs[at] ?? 0;
      const ts = first_ts - (back >>> 1);
      if (ts >= end || ts < start) continue;
      now[0] = ts;
      if (ts > least_ts) oddities++;
      else least_ts = ts;
      if (hasInstants) this.#passInstants();
      const utid = utids[at] ?? 0;
      const by = wakers[at] ?? 0;
      let above = waker[utid] ?? NONE;
      let more: number;
      if (by === utid) {
        // Before now the thread was not blocked.
        if (above === NONE) {
          if (isBlocked[utid] === 0) continue;
          this.#sum(utid);
          isBlocked[utid] = 0;
          continue;
        }
        more = 0 - (others[utid] ?? 0) - (own[utid] ?? 0);
        waker[utid] = NONE;
        own[utid] = 0;
        summed_ts[utid] = ts;
      } else {
        // Before now it was blocked until another thread woke it.
        if ((others[utid] ?? 0) === 0) summed_ts[utid] = ts;
        else this.#sum(utid);
        if (above !== NONE || isBlocked[utid] === 1) {
          oddities++;
          continue;
        }
        if (by !== NONE && (waker[by] !== NONE || isBlocked[by] === 1)) oddities++;
        if (by === NONE || this.#leadsTo(by, utid)) {
          isBlocked[utid] = 1;
          this.#noteEnder(utid);
          continue;
        }
        waker[utid] = by;
        own[utid] = (back & 1) === 1 && ts > (across_ts[utid] ?? 0) ? 0 : 1;
        more = (others[utid] ?? 0) + (own[utid] ?? 0);
        above = by;
      }
      // So many more wait for all whom it waits for.
      for (let next = waker[above] ?? NONE; next !== NONE; next = waker[above] ?? NONE) {
        others[above] = (others[above] ?? 0) + more;
        above = next;
      }
      if ((others[above] ?? 0) === 0) summed_ts[above] = ts;
      else this.#sum(above);
      others[above] = (others[above] ?? 0) + more;
    }
    this.#least_ts = least_ts;
    this.#oddities += oddities;
  }

  /** All events were gone through. */
  finish(): void {
    this.#now[0] = this.#range.start;
    this.#passInstants();
    for (let utid = 0; utid < this.#waker.length; utid++) this.#sum(utid);
  }

  /** Has room for a thread. */
  #makeRoom(utid: number): void {
    const before = this.#waker.length;
    if (utid < before) return;
    const length = Math.max(1 << 10, 2 * utid);
    this.#across_ts = grown(this.#across_ts, new Float64Array(length).fill(-Infinity));
    for (const [blocked, ts] of this.#wokenAcross) if (blocked < length) this.#across_ts[blocked] = ts;
    this.#waker = grown(this.#waker, new Uint32Array(length));
    this.#others = grown(this.#others, new Int32Array(length));
    this.#own = grown(this.#own, new Uint8Array(length));
    this.#isBlocked = grown(this.#isBlocked, new Uint8Array(length));
    this.#summed_ts = grown(this.#summed_ts, new Float64Array(length).fill(this.#range.end, before));
    this.#active_ns = grown(this.#active_ns, new Float64Array(length));
    this.#blocked_ns = grown(this.#blocked_ns, new Float64Array(length));
    this.#ender = grown(this.#ender, new Int32Array(length));
  }

  /** The instants from now on are passed. */
  #passInstants(): void {
    const { ts: times, utid: utids } = this.#instants;
    const ts = this.#now[0] ?? 0;
    for (; this.#instant >= 0 && (times[this.#instant] ?? 0) >= ts; this.#instant--) {
      const utid = utids[this.#instant] ?? 0;
      const isToBlame = (this.#waker[utid] ?? NONE) === NONE && this.#isBlocked[utid] !== 1;
      if (isToBlame) this.#waiting[this.#instant] = this.#others[utid] ?? 0;
    }
  }

  #noteEnder(utid: number): void {
    if (this.#enderOf !== null) this.#ender[utid] = this.#enderOf(this.#now[0] ?? 0);
  }

  /** Of equal times two threads can have woken each other: their waits would go round. */
  #leadsTo(from: number, utid: number): boolean {
    for (let at = from; at !== NONE; at = this.#waker[at] ?? NONE) if (at === utid) return true;
    return false;
  }

  /** Adds what went by since the sums of a thread were made last. */
  #sum(utid: number): void {
    const ts = this.#now[0] ?? 0;
    const until = this.#summed_ts[utid] ?? ts;
    if (ts >= until) return;
    this.#summed_ts[utid] = ts;
    const others = this.#others[utid] ?? 0;
    if (others === 0 || (this.#waker[utid] ?? NONE) !== NONE) return;
    this.#tellAwake(utid, ts, until, others);
    const ns = outside(ts, until, this.#asleep);
    const sums = this.#isBlocked[utid] === 1 ? this.#blocked_ns : this.#active_ns;
    sums[utid] = (sums[utid] ?? 0) + others * ns;
    if (this.#isBlocked[utid] !== 1) return;
    const ender = this.#ender[utid] ?? 0;
    this.#ofEnder[ender] = (this.#ofEnder[ender] ?? 0) + others * ns;
  }

  #tellAwake(utid: number, ts: number, te: number, others: number): void {
    if (this.#onWaited === null) return;
    let from = ts;
    for (const span of this.#asleep) {
      if (span.te <= from || span.ts >= te) continue;
      if (span.ts > from) this.#onWaited(utid, from, span.ts, others);
      from = span.te;
    }
    if (from < te) this.#onWaited(utid, from, te, others);
  }
}

/** So many more wait for all whom a thread waits for. */
export function addAbove(others: Int32Array, waker: Uint32Array, utid: number, more: number): void {
  if (more === 0) return;
  for (let at = waker[utid] ?? NONE; at !== NONE; at = waker[at] ?? NONE)
    others[at] = (others[at] ?? 0) + more;
}
