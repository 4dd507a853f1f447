import type { Stretch } from '../tables/index.ts';
import { outside } from './asleep.ts';
import { addAbove, type BlameState } from './blame-sweep.ts';
import type { BlockEvents } from './block-events.ts';
import type { Span } from './stretches.ts';

const NONE = 0;

/** How threads stand otherwise in a range than in a longer one. */
export interface Apart {
  /** Threads that are blocked in the longer one only: they are woken after the range. */
  readonly free: Set<number>;
  /** Threads whose waits count in the range only: it is not seen there that they are for work. */
  readonly counted: Set<number>;
}

/** Where the state of a sweep of a range is apart from that of a longer one; null if it is so in other ways, too. */
export function apartFrom(state: BlameState, longer: BlameState): Apart | null {
  const apart: Apart = { free: new Set(), counted: new Set() };
  const threads = longer.waker.length;
  for (let utid = 0; utid < threads; utid++) {
    const own = (state.own[utid] ?? 0) - (longer.own[utid] ?? 0);
    const isSame =
      state.waker[utid] === longer.waker[utid] && state.isBlocked[utid] === longer.isBlocked[utid];
    if (isSame && own === 0) continue;
    if (isSame && own === 1) apart.counted.add(utid);
    else if (state.waker[utid] === NONE && state.isBlocked[utid] === 0) apart.free.add(utid);
    else return null;
  }
  if (apart.free.size === 0) return apart;
  // Who waits for a thread that is woken after the range is woken after it, too.
  for (let utid = 0; utid < threads; utid++)
    if (apart.free.has(longer.waker[utid] ?? NONE) && !apart.free.has(utid)) return null;
  return apart;
}

/** The state in a longer range with what is apart in a range: the sums are those given. */
export function withApart(
  { waker, own, isBlocked }: BlameState,
  { free, counted }: Apart,
  sums: Pick<BlameState, 'active_ns' | 'blocked_ns'>,
): BlameState {
  const state = { waker: waker.slice(), own: own.slice(), isBlocked: isBlocked.slice(), ...sums };
  for (const utid of counted) state.own[utid] = 1;
  for (const utid of free) for (const of of [state.waker, state.own, state.isBlocked]) of[utid] = 0;
  return state;
}

/** What goes by in a stretch of a range, and of a longer one. */
export interface DifferentStretch {
  /** When it ends and begins, in ns. */
  readonly end: number;
  readonly start: number;
  /** How threads stand at its end in the longer range. */
  readonly state: BlameState;
  /** All in it, none of which is an oddity of a sweep. */
  readonly events: readonly BlockEvents[];
}

/** What a difference is made of. */
interface DifferenceFacts {
  /** How threads stand apart where the range ends. It goes along. */
  readonly apart: Apart;
  /** Threads that are blocked across the start of the range, not of the longer one, and until when. */
  readonly across_ts: ReadonlyMap<number, number>;
  readonly asleep: readonly Span[];
}

/**
 * How much more others waited for each thread in a range than in a longer one that holds it. Only the threads that are apart, and those to
 * which they hand their waits, are looked at.
 */
export class BlameDifference {
  readonly active_ns: Float64Array;
  readonly blocked_ns: Float64Array;
  readonly #range: Stretch;
  readonly #apart: Apart;
  readonly #asleep: readonly Span[];
  readonly #across_ts: ReadonlyMap<number, number>;
  readonly #across: { readonly utids: Uint32Array; readonly wake_ts: Float64Array };
  /** By thread: 1 if it is looked at; and how it stands in the longer range. */
  readonly #isSeen: Uint8Array;
  readonly #waker: Uint32Array;
  readonly #isBlocked: Uint8Array;
  /** By thread: how many more wait for it in the range, and how much more its own wait counts. */
  readonly #others: Int32Array;
  readonly #own: Int8Array;
  readonly #summed_ts: Float64Array;

  constructor(threads: number, range: Stretch, { apart, across_ts, asleep }: DifferenceFacts) {
    [this.#range, this.#apart, this.#across_ts, this.#asleep] = [range, apart, across_ts, asleep];
    this.#across = {
      utids: Uint32Array.from(across_ts.keys()),
      wake_ts: Float64Array.from(across_ts.values()),
    };
    [this.active_ns, this.blocked_ns] = [new Float64Array(threads), new Float64Array(threads)];
    [this.#isSeen, this.#isBlocked] = [new Uint8Array(threads), new Uint8Array(threads)];
    [this.#waker, this.#others] = [new Uint32Array(threads), new Int32Array(threads)];
    [this.#own, this.#summed_ts] = [new Int8Array(threads), new Float64Array(threads)];
  }

  /** Goes back through a stretch. What is apart is then as it is at the stretch's start. */
  pass(stretch: DifferentStretch): void {
    const seen = new Set([...this.#apart.free, ...this.#apart.counted]);
    const { utids, wake_ts } = this.#across;
    for (let at = 0; at < utids.length; at++) {
      const ts = wake_ts[at] ?? 0;
      if (ts >= stretch.start && ts <= stretch.end) seen.add(utids[at] ?? 0);
    }
    if (seen.size === 0) return;
    this.#begin(stretch, seen);
    for (const events of stretch.events) this.#take(events);
    for (let utid = 0; utid < this.#isSeen.length; utid++) this.#sum(utid, stretch.start);
  }

  #begin({ end, state }: DifferentStretch, seen: ReadonlySet<number>): void {
    for (const of of [this.#isSeen, this.#isBlocked, this.#waker, this.#others, this.#own]) of.fill(0);
    this.#summed_ts.fill(end);
    for (const utid of seen)
      for (let at = utid; at !== NONE && this.#isSeen[at] === 0; at = state.waker[at] ?? NONE) {
        this.#isSeen[at] = 1;
        this.#waker[at] = state.waker[at] ?? NONE;
        this.#isBlocked[at] = state.isBlocked[at] ?? 0;
      }
    for (const utid of this.#apart.free) this.#own[utid] = -(state.own[utid] ?? 0);
    for (const utid of this.#apart.counted) this.#own[utid] = 1;
    for (const utid of seen) addAbove(this.#others, this.#waker, utid, this.#own[utid] ?? 0);
  }

  #take({ first_ts, backs, utids, wakers }: BlockEvents): void {
    const isSeen = this.#isSeen;
    const { start, end } = this.#range;
    for (let at = 0; at < backs.length; at++) {
      const utid = utids[at] ?? 0;
      if (isSeen[utid] === 0) continue;
      const back = backs[at] ?? 0;
      const ts = first_ts - (back >>> 1);
      if (ts >= end || ts < start) continue;
      const by = wakers[at] ?? 0;
      if (by === utid) this.#begins(utid, ts);
      else this.#ends(utid, by, ts, (back & 1) === 1);
    }
  }

  /** A block begins: before, the thread was not blocked. */
  #begins(utid: number, ts: number): void {
    this.#sum(utid, ts);
    this.#hand(utid, -1, ts);
    this.#waker[utid] = NONE;
    this.#own[utid] = 0;
    this.#isBlocked[utid] = 0;
    this.#apart.free.delete(utid);
    this.#apart.counted.delete(utid);
  }

  /** A block ends: before, the thread was blocked until another one woke it. */
  #ends(utid: number, by: number, ts: number, isForWork: boolean): void {
    this.#sum(utid, ts);
    if (by === NONE) {
      this.#isBlocked[utid] = 1;
      return;
    }
    this.#isSeen[by] = 1;
    this.#waker[utid] = by;
    if (isForWork && ts <= (this.#across_ts.get(utid) ?? -Infinity)) {
      this.#own[utid] = 1;
      this.#apart.counted.add(utid);
    }
    this.#hand(utid, 1, ts);
  }

  /** Hands on the waits of a thread and those for it, or no longer. */
  #hand(utid: number, sign: number, ts: number): void {
    const more = sign * ((this.#others[utid] ?? 0) + (this.#own[utid] ?? 0));
    if (more === 0) return;
    let root = utid;
    for (let at = this.#waker[utid] ?? NONE; at !== NONE; at = this.#waker[at] ?? NONE) root = at;
    if (root === utid) return;
    this.#sum(root, ts);
    addAbove(this.#others, this.#waker, utid, more);
  }

  /** Adds what went by since the sums of a thread were made last. */
  #sum(utid: number, ts: number): void {
    const until = this.#summed_ts[utid] ?? ts;
    this.#summed_ts[utid] = ts;
    const others = this.#others[utid] ?? 0;
    if (others === 0 || (this.#waker[utid] ?? NONE) !== NONE) return;
    const sums = this.#isBlocked[utid] === 1 ? this.blocked_ns : this.active_ns;
    sums[utid] = (sums[utid] ?? 0) + others * outside(ts, until, this.#asleep);
  }
}
