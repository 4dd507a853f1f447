import { grown, type Batch, type Stretch, type Tables } from '../tables/index.ts';
import { outside } from './asleep.ts';
import type { Blame } from './blame.ts';
import { waitsForWork, type Flags } from './for-work.ts';
import type { Span } from './stretches.ts';
import { walkBack, type WalksBack } from './walk-back.ts';

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
  /** The rows of `etw_ready_wait` whose threads had blocked for work, where they are known. */
  readonly isForWork?: Flags;
  /** Told how many others waited for a thread, stretch by stretch; not while the machine slept. */
  readonly onWaited?: TellWaited;
}

/** So many others waited for a thread from `ts` to `te`. */
export type TellWaited = (utid: number, ts: number, te: number, others: number) => void;

/** No thread. */
const NONE = -1;

/**
 * Goes back through time. A thread that is blocked stands for all who wait for it, and for itself, and hands them to the thread that will
 * wake it: so the threads are trees at each instant, and the root of each is to blame.
 */
export class BlameSweep implements WalksBack<never, 'waker_utid'> {
  readonly #range: Stretch;
  readonly #asleep: readonly Span[];
  readonly #isForWork: Flags;
  /** By thread: whom it hands its waits to, how many others wait for it, 1 if its own wait counts. */
  #waker = new Int32Array(0);
  #others = new Int32Array(0);
  #own = new Uint8Array(0);
  /** By thread: 1 while it is blocked with no thread behind, and until when its sums are made. */
  #isBlocked = new Uint8Array(0);
  #summed_ts = new Float64Array(0);
  #active_ns = new Float64Array(0);
  #blocked_ns = new Float64Array(0);
  #ran_ns = new Float64Array(0);
  /** What ended the block of each thread that is blocked with no thread behind; and how long others waited for each of these. */
  #ender = new Int32Array(0);
  readonly #ofEnder: number[] = [];
  readonly #enderOf: (wake_ts: number) => number;
  readonly #onWaited: TellWaited | null;
  readonly #instants: Instants;
  /** The time that was gone back to. In an array: memory would be made for a time that functions are given. */
  readonly #now = new Float64Array(1);
  /** How many waited for the thread of each instant, and the instant that comes next. */
  readonly #waiting: Float64Array;
  #instant: number;

  private constructor(
    range: Stretch,
    asleep: readonly Span[],
    isForWork: Flags,
    { enderOf = () => 0, instants = { ts: [], utid: [] }, onWaited }: SweepQuestions,
  ) {
    [this.#enderOf, this.#instants, this.#onWaited] = [enderOf, instants, onWaited ?? null];
    this.#waiting = new Float64Array(instants.ts.length);
    this.#instant = instants.ts.length - 1;
    [this.#range, this.#asleep, this.#isForWork] = [range, asleep, isForWork];
    this.#makeRoom(1 << 10);
  }

  /** The sweep of a range. */
  static async of(
    tables: Tables,
    range: Stretch,
    asleep: readonly Span[],
    asked: SweepQuestions = {},
  ): Promise<BlameSweep> {
    const isForWork = asked.isForWork ?? (await waitsForWork(tables, range));
    const sweep = new BlameSweep(range, asleep, isForWork, asked);
    await walkBack(tables, { range, cause: 'wake', runs: [], waits: ['waker_utid'] }, sweep);
    sweep.#finish();
    return sweep;
  }

  /** How long others waited while what they waited for was blocked with no thread behind, by the number of what ended that block. */
  enderSums(): readonly number[] {
    return this.#ofEnder;
  }

  /** How many others waited at each instant for its thread, which was active and waited for no other thread. */
  waitingAt(): Float64Array {
    return this.#waiting;
  }

  /** The sums of threads for which others waited or that ran; most waiting first. */
  sums(): Blame[] {
    const ran_ns = this.#ran_ns;
    const blames: Blame[] = [];
    for (let utid = 1; utid < ran_ns.length; utid++) {
      const active_ns = this.#active_ns[utid] ?? 0;
      const blocked_ns = this.#blocked_ns[utid] ?? 0;
      if (active_ns + blocked_ns + (ran_ns[utid] ?? 0) === 0) continue;
      blames.push({ utid, active_ns, blocked_ns, ran_ns: ran_ns[utid] ?? 0 });
    }
    return blames.sort(
      (a, b) => b.active_ns + b.blocked_ns - a.active_ns - a.blocked_ns || b.ran_ns - a.ran_ns,
    );
  }

  run({ ts, te, utid }: Batch<'ts' | 'te' | 'utid'>['columns'], row: number): void {
    const { start, end } = this.#range;
    const run_te = te.values[row] ?? 0;
    const of = utid.values[row] ?? 0;
    this.#makeRoom(of);
    const ns = Math.min(run_te, end) - Math.max(ts.values[row] ?? 0, start);
    this.#ran_ns[of] = (this.#ran_ns[of] ?? 0) + Math.max(0, ns);
    if (run_te >= end) return;
    this.#now[0] = run_te;
    this.#passInstants();
    this.#unblock(of);
  }

  wait(waits: Readonly<Record<'ts' | 'utid' | 'row' | 'waker_utid', Float64Array>>, wait: number): void {
    this.#now[0] = waits.ts[wait] ?? 0;
    const utid = (waits.utid[wait] ?? 0) | 0;
    // No number becomes 0.
    const by = (waits.waker_utid[wait] ?? 0) | 0;
    this.#makeRoom(by > utid ? by : utid);
    const own = this.#isForWork.has(waits.row[wait] ?? 0) ? 0 : 1;
    this.#passInstants();
    this.#block(utid, by > 0 ? by : NONE, own);
  }

  #finish(): void {
    this.#now[0] = this.#range.start;
    this.#passInstants();
    for (let utid = 0; utid < this.#waker.length; utid++) this.#sum(utid);
  }

  /** Has room for a thread. */
  #makeRoom(utid: number): void {
    const before = this.#waker.length;
    if (utid < before) return;
    const length = 2 * utid;
    this.#waker = grown(this.#waker, new Int32Array(length).fill(NONE, before));
    this.#others = grown(this.#others, new Int32Array(length));
    this.#own = grown(this.#own, new Uint8Array(length));
    this.#isBlocked = grown(this.#isBlocked, new Uint8Array(length));
    this.#summed_ts = grown(this.#summed_ts, new Float64Array(length).fill(this.#range.end, before));
    this.#active_ns = grown(this.#active_ns, new Float64Array(length));
    this.#blocked_ns = grown(this.#blocked_ns, new Float64Array(length));
    this.#ran_ns = grown(this.#ran_ns, new Float64Array(length));
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

  /** Before now a thread is blocked until `waker` wakes it. */
  #block(utid: number, waker: number, own: number): void {
    this.#sum(utid);
    if ((this.#waker[utid] ?? NONE) !== NONE || this.#isBlocked[utid] === 1) return;
    if (waker === NONE || this.#leadsTo(waker, utid)) {
      this.#isBlocked[utid] = 1;
      this.#ender[utid] = this.#enderOf(this.#now[0] ?? 0);
      return;
    }
    this.#waker[utid] = waker;
    this.#own[utid] = own;
    this.#add(waker, (this.#others[utid] ?? 0) + own);
  }

  /** Before now a thread was not blocked. */
  #unblock(utid: number): void {
    const waker = this.#waker[utid] ?? NONE;
    if (waker !== NONE) {
      this.#add(waker, -(this.#others[utid] ?? 0) - (this.#own[utid] ?? 0));
      this.#waker[utid] = NONE;
      this.#own[utid] = 0;
      this.#summed_ts[utid] = this.#now[0] ?? 0;
    } else if (this.#isBlocked[utid] === 1) {
      this.#sum(utid);
      this.#isBlocked[utid] = 0;
    }
  }

  /** So many more wait for a thread before now, and for all whom it waits for. */
  #add(utid: number, more: number): void {
    let at = utid;
    for (let next = this.#waker[at] ?? NONE; next !== NONE; next = this.#waker[at] ?? NONE) {
      this.#others[at] = (this.#others[at] ?? 0) + more;
      at = next;
    }
    this.#sum(at);
    this.#others[at] = (this.#others[at] ?? 0) + more;
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
