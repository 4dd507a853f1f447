import type { Stretch } from '../tables/index.ts';
import { outside } from './asleep.ts';
import type { Blame } from './blame.ts';
import { FOR_WORK } from './blocked.ts';
import type { Rows } from './rows.ts';
import type { Span } from './stretches.ts';
import { inTimeOrder } from './time-order.ts';

/** What is read of ready waits and of runs. */
export const WAIT_COLUMNS = ['ts', 'utid', 'cause', 'waker_utid'] as const;
export const RUN_COLUMNS = ['ts', 'te', 'utid', 'switch_out_wait_reason'] as const;

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
}

/** No thread. */
const NONE = -1;

/**
 * Goes back through time. A thread that is blocked stands for all who wait for it, and for itself, and hands them to the thread that will
 * wake it: so the threads are trees at each instant, and the root of each is to blame.
 */
export class BlameSweep {
  readonly #range: Stretch;
  readonly #runs: Rows<(typeof RUN_COLUMNS)[number]>;
  readonly #waits: Rows<(typeof WAIT_COLUMNS)[number]>;
  readonly #asleep: readonly Span[];
  /** By thread: whom it hands its waits to, how many others wait for it, 1 if its own wait counts. */
  readonly #waker: Int32Array;
  readonly #others: Float64Array;
  readonly #own: Uint8Array;
  /** By thread: 1 while it is blocked with no thread behind, and until when its sums are made. */
  readonly #isBlocked: Uint8Array;
  readonly #summed_ts: Float64Array;
  readonly #active_ns: Float64Array;
  readonly #blocked_ns: Float64Array;
  /** What ended the block of each thread that is blocked with no thread behind; and how long others waited for each of these. */
  readonly #ender: Int32Array;
  readonly #ofEnder: number[] = [];
  readonly #enderOf: (wake_ts: number) => number;
  readonly #instants: Instants;
  /** How many waited for the thread of each instant. */
  readonly #waiting: Float64Array;

  constructor(
    range: Stretch,
    runs: Rows<(typeof RUN_COLUMNS)[number]>,
    waits: Rows<(typeof WAIT_COLUMNS)[number]>,
    asleep: readonly Span[],
    { enderOf = () => 0, instants = { ts: [], utid: [] } }: SweepQuestions = {},
  ) {
    [this.#enderOf, this.#instants] = [enderOf, instants];
    this.#waiting = new Float64Array(instants.ts.length);
    this.#range = range;
    this.#runs = runs;
    this.#waits = waits;
    this.#asleep = asleep;
    let most = 0;
    for (const of of [runs.column('utid'), waits.column('utid'), waits.column('waker_utid')])
      // By their numbers: an iterator would put each on the heap.
      for (let row = of.length - 1; row >= 0; row--) {
        const utid = of[row] ?? 0;
        if (utid > most) most = utid;
      }
    this.#waker = new Int32Array(most + 1).fill(NONE);
    this.#others = new Float64Array(most + 1);
    this.#own = new Uint8Array(most + 1);
    this.#isBlocked = new Uint8Array(most + 1);
    this.#summed_ts = new Float64Array(most + 1).fill(range.end);
    this.#active_ns = new Float64Array(most + 1);
    this.#blocked_ns = new Float64Array(most + 1);
    this.#ender = new Int32Array(most + 1);
  }

  /** How long others waited while what they waited for was blocked with no thread behind, by the number of what ended that block. */
  enderSums(): readonly number[] {
    this.#goBack();
    return this.#ofEnder;
  }

  /** How many others waited at each instant for its thread, which was active and waited for no other thread. */
  waitingAt(): Float64Array {
    this.#goBack();
    return this.#waiting;
  }

  /** The sums of threads for which others waited or that ran; most waiting first. */
  sums(): Blame[] {
    this.#goBack();
    const ran_ns = new Float64Array(this.#others.length);
    const [ts, te, utids] = [this.#runs.column('ts'), this.#runs.column('te'), this.#runs.column('utid')];
    const { start, end } = this.#range;
    for (let run = 0; run < utids.length; run++) {
      const utid = utids[run] ?? 0;
      const ns = Math.min(te[run] ?? 0, end) - Math.max(ts[run] ?? 0, start);
      ran_ns[utid] = (ran_ns[utid] ?? 0) + Math.max(0, ns);
    }
    const blames: Blame[] = [];
    for (let utid = 1; utid < ran_ns.length; utid++) {
      const [active_ns, blocked_ns] = [this.#active_ns[utid] ?? 0, this.#blocked_ns[utid] ?? 0];
      if (active_ns + blocked_ns + (ran_ns[utid] ?? 0) === 0) continue;
      blames.push({ utid, active_ns, blocked_ns, ran_ns: ran_ns[utid] ?? 0 });
    }
    return blames.sort(
      (a, b) => b.active_ns + b.blocked_ns - a.active_ns - a.blocked_ns || b.ran_ns - a.ran_ns,
    );
  }

  #goBack(): void {
    const [runs, waits] = [this.#runs, this.#waits];
    const [runTe, runUtid] = [runs.column('te'), runs.column('utid')];
    const [waitTs, waitUtid, waker] = [waits.column('ts'), waits.column('utid'), waits.column('waker_utid')];
    const [causes, wake] = [waits.column('cause'), waits.numberOf('cause', 'wake')];
    const order = inTimeOrder(waitTs);
    const counts = this.#waitsThatCount(order);
    const { start, end } = this.#range;
    let at = order.length - 1;
    let instant = this.#instants.ts.length - 1;
    const instantsAfter = (ts: number) => {
      for (; instant >= 0 && (this.#instants.ts[instant] ?? 0) >= ts; instant--) {
        const utid = this.#instants.utid[instant] ?? 0;
        const isToBlame = this.#waker[utid] === NONE && this.#isBlocked[utid] !== 1;
        if (isToBlame) this.#waiting[instant] = this.#others[utid] ?? 0;
      }
    };
    const wakesAfter = (ts: number) => {
      for (; at >= 0; at--) {
        const wait = order[at] ?? 0;
        const wake_ts = waitTs[wait] ?? 0;
        if (wake_ts < ts || wake_ts < start) return;
        if (wake_ts >= end || causes[wait] !== wake) continue;
        const by = waker[wait] ?? NaN;
        instantsAfter(wake_ts);
        this.#block(waitUtid[wait] ?? 0, by > 0 ? by : NONE, counts[wait] ?? 0, wake_ts);
      }
    };
    for (let run = runTe.length - 1; run >= 0; run--) {
      const te = runTe[run] ?? 0;
      if (te >= end || te < start) continue;
      // A wake at the end of a run is after it.
      wakesAfter(te);
      instantsAfter(te);
      this.#unblock(runUtid[run] ?? 0, te);
    }
    wakesAfter(start);
    instantsAfter(start);
    for (let utid = 0; utid < this.#waker.length; utid++) this.#sum(utid, start);
  }

  /** Which waits count by themselves: 1, or 0 for those for work, by what the thread had blocked for last. */
  #waitsThatCount(order: Uint32Array): Uint8Array {
    const [runs, waits] = [this.#runs, this.#waits];
    const [runTe, runUtid] = [runs.column('te'), runs.column('utid')];
    const [waitTs, waitUtid] = [waits.column('ts'), waits.column('utid')];
    const reasons = runs.column('switch_out_wait_reason');
    const isWork: number[] = [];
    for (const reason of FOR_WORK) {
      const number = runs.numberOf('switch_out_wait_reason', reason);
      if (!Number.isNaN(number)) isWork[number] = 1;
    }
    const isForWork = new Uint8Array(this.#waker.length);
    const counts = new Uint8Array(order.length);
    let run = 0;
    for (const wait of order) {
      for (; run < runTe.length && (runTe[run] ?? 0) <= (waitTs[wait] ?? 0); run++)
        isForWork[runUtid[run] ?? 0] = isWork[reasons[run] ?? 0] ?? 0;
      counts[wait] = 1 - (isForWork[waitUtid[wait] ?? 0] ?? 0);
    }
    return counts;
  }

  /** Before `ts` a thread is blocked until `waker` wakes it. */
  #block(utid: number, waker: number, own: number, ts: number): void {
    this.#sum(utid, ts);
    if ((this.#waker[utid] ?? NONE) !== NONE || this.#isBlocked[utid] === 1) return;
    if (waker === NONE || this.#leadsTo(waker, utid)) {
      this.#isBlocked[utid] = 1;
      this.#ender[utid] = this.#enderOf(ts);
      return;
    }
    this.#waker[utid] = waker;
    this.#own[utid] = own;
    this.#add(waker, (this.#others[utid] ?? 0) + own, ts);
  }

  /** Before `ts` a thread was not blocked. */
  #unblock(utid: number, ts: number): void {
    const waker = this.#waker[utid] ?? NONE;
    if (waker !== NONE) {
      this.#add(waker, -(this.#others[utid] ?? 0) - (this.#own[utid] ?? 0), ts);
      this.#waker[utid] = NONE;
      this.#own[utid] = 0;
      this.#summed_ts[utid] = ts;
    } else if (this.#isBlocked[utid] === 1) {
      this.#sum(utid, ts);
      this.#isBlocked[utid] = 0;
    }
  }

  /** So many more wait for a thread before `ts`, and for all whom it waits for. */
  #add(utid: number, more: number, ts: number): void {
    let at = utid;
    for (let next = this.#waker[at] ?? NONE; next !== NONE; next = this.#waker[at] ?? NONE) {
      this.#others[at] = (this.#others[at] ?? 0) + more;
      at = next;
    }
    this.#sum(at, ts);
    this.#others[at] = (this.#others[at] ?? 0) + more;
  }

  /** Of equal times two threads can have woken each other: their waits would go round. */
  #leadsTo(from: number, utid: number): boolean {
    for (let at = from; at !== NONE; at = this.#waker[at] ?? NONE) if (at === utid) return true;
    return false;
  }

  /** Adds what went by since the sums of a thread were made last. */
  #sum(utid: number, ts: number): void {
    const until = this.#summed_ts[utid] ?? ts;
    if (ts >= until) return;
    this.#summed_ts[utid] = ts;
    const others = this.#others[utid] ?? 0;
    if (others === 0 || (this.#waker[utid] ?? NONE) !== NONE) return;
    const ns = outside(ts, until, this.#asleep);
    const sums = this.#isBlocked[utid] === 1 ? this.#blocked_ns : this.#active_ns;
    sums[utid] = (sums[utid] ?? 0) + others * ns;
    if (this.#isBlocked[utid] !== 1) return;
    const ender = this.#ender[utid] ?? 0;
    this.#ofEnder[ender] = (this.#ofEnder[ender] ?? 0) + others * ns;
  }
}
