import { grown, type Batch, type Stretch, type Tables } from '../tables/index.ts';
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
  /** Told how many others waited for threads, many stretches at once; not while the machine slept. */
  readonly onWaited?: (waited: WaitedFor) => void;
}

/** Stretches of time, from `ts` to `te`, in which so many others waited for a thread. What they hold is good during the call. */
export interface WaitedFor {
  readonly count: number;
  readonly utid: Int32Array;
  readonly ts: Float64Array;
  readonly te: Float64Array;
  readonly others: Int32Array;
}

/** So many stretches are told at once: what each number is handed over for takes most of the time otherwise. */
const TOLD = 1 << 12;

/** Stretches in which others waited, up to {@link TOLD}. */
class Waits implements WaitedFor {
  count = 0;
  readonly utid = new Int32Array(TOLD);
  readonly ts = new Float64Array(TOLD);
  readonly te = new Float64Array(TOLD);
  readonly others = new Int32Array(TOLD);
}

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
  readonly #onWaited: ((waited: WaitedFor) => void) | null;
  readonly #waited = new Waits();
  /** The time that was gone back to. Handed from call to call it would be a new object each time. */
  #now = NaN;
  readonly #instants: Instants;
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
    this.#goTo(run_te);
    this.#unblock(of);
  }

  wait(waits: Readonly<Record<'ts' | 'utid' | 'row' | 'waker_utid', Float64Array>>, wait: number): void {
    const utid = waits.utid[wait] ?? 0;
    const by = waits.waker_utid[wait] ?? NaN;
    this.#makeRoom(by > utid ? by : utid);
    const own = this.#isForWork.has(waits.row[wait] ?? 0) ? 0 : 1;
    this.#goTo(waits.ts[wait] ?? 0);
    this.#block(utid, by > 0 ? by : NONE, own);
  }

  #finish(): void {
    this.#goTo(this.#range.start);
    for (let utid = 0; utid < this.#waker.length; utid++) this.#sum(utid);
    if (this.#waited.count > 0) this.#onWaited?.(this.#waited);
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

  /** Goes back to a time. */
  #goTo(ts: number): void {
    this.#now = ts;
    const { ts: times, utid: utids } = this.#instants;
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
      this.#ender[utid] = this.#enderOf(this.#now);
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
      this.#summed_ts[utid] = this.#now;
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
    const ts = this.#now;
    const until = this.#summed_ts[utid] ?? ts;
    if (ts >= until) return;
    this.#summed_ts[utid] = ts;
    const others = this.#others[utid] ?? 0;
    if (others === 0 || (this.#waker[utid] ?? NONE) !== NONE) return;
    let awake_ns = until - ts;
    if (this.#asleep.length > 0) awake_ns = this.#tellAwake(utid, ts, until, others);
    else if (this.#onWaited !== null) this.#tell(utid, ts, until, others);
    const sums = this.#isBlocked[utid] === 1 ? this.#blocked_ns : this.#active_ns;
    sums[utid] = (sums[utid] ?? 0) + others * awake_ns;
    if (this.#isBlocked[utid] !== 1) return;
    const ender = this.#ender[utid] ?? 0;
    this.#ofEnder[ender] = (this.#ofEnder[ender] ?? 0) + others * awake_ns;
  }

  /** Tells when others waited while the machine was awake, and gives how long that was, in ns. */
  #tellAwake(utid: number, ts: number, te: number, others: number): number {
    let from = ts;
    let awake_ns = 0;
    for (const span of [...this.#asleep, { ts: te, te }]) {
      const to = Math.min(span.ts, te);
      if (to > from) {
        awake_ns += to - from;
        this.#tell(utid, from, to, others);
      }
      from = Math.max(from, span.te);
    }
    return awake_ns;
  }

  #tell(utid: number, ts: number, te: number, others: number): void {
    if (this.#onWaited === null) return;
    const waited = this.#waited;
    const at = waited.count++;
    waited.utid[at] = utid;
    waited.ts[at] = ts;
    waited.te[at] = te;
    waited.others[at] = others;
    if (waited.count < TOLD) return;
    this.#onWaited(waited);
    waited.count = 0;
  }
}
