import {
  IDLE_WAKE_UP_MAX_NS,
  NOT_THERE,
  PREEMPTION_DELAY_MAX_NS,
  WHYS,
  type Held,
  type Why,
} from '../../why-late/index.ts';
import { orderOf, PairNumbers } from '../../tables/index.ts';
import { wasSwappedOut, type JudgedRanks } from '../../why-late/columns/index.ts';
import { waitAt } from '../history.ts';
import { AROUND_NS, splitReady, type JudgedBy } from '../ready-parts.ts';
import { countOfKeys, firstWhere, type RowNumbers } from '../rows.ts';
import type { Span } from '../stretches.ts';
import { CpuTimeline } from './cpu-timeline.ts';
import { NOT_INTERRUPTED, type Interruptions } from './interruptions.ts';
import { keptBack, NOT_KEPT_BACK } from './kept-back.ts';
import { Listening } from './listening.ts';
import { Presence } from './presence.ts';
import { FREE, WaitKind } from './wait-kind.ts';

/**
 * What is called with a row of a ready wait, and the time of it by reason: in ns, in the order of `WHYS`; good until the next call. `only` is
 * the place of the one reason; `SEVERAL` where there may be more.
 */
export type TellWait = (row: number, ns: Float64Array, only: number) => void;

/** In place of the reason of a wait that may have more than one. */
export const SEVERAL = -1;

const numberOf = (why: Why) => WHYS.indexOf(why);
const SWAPPED_OUT = numberOf('swapped_out');
const IDLE_WAKE_UP = numberOf('idle_wake_up');
const PREEMPTION_DELAY = numberOf('preemption_delay');

/** In place of a CPU for a wait that none took. */
const NO_CPU = -1;
/** In place of the number of a kind for a wait that needs none. */
const DIVIDED = -1;
/** Whether a thread is kept back at any time: nobody asked yet, it is not, it may be. */
const [UNKNOWN, NEVER, MAY_BE] = [0, 1, 2];

/**
 * Divides all ready waits of the history, as far as they lie in `within`, by reason: the sums of what `splitReady` gives of each. One
 * walk over the CPUs tells which states they were in since when; each wait is then walked back from its end. The history reaches
 * `AROUND_NS` farther than `within`.
 */
export function divideWaits(by: JudgedBy, judged: JudgedRanks, within: Span, tell: TellWait): void {
  new Division(by, judged, within, tell).run();
}

class Division {
  readonly #by: JudgedBy;
  readonly #judged: JudgedRanks;
  readonly #within: Span;
  /** With what lies around, where the delay of a free CPU may begin or end. */
  readonly #looked: Span;
  readonly #tell: TellWait;
  readonly #cpus: CpuTimeline;
  /** The kinds of waits by their numbers. */
  readonly #kinds: WaitKind[] = [];
  /** Kinds of waits by the CPUs that are barred to them, as text. */
  readonly #sets = new Map<string, KindSet>();
  /** Those that no CPU is barred to: most are. */
  readonly #unbarred: KindSet;
  readonly #listening = new Listening();
  /** By thread, whether it is kept back at any time, as `MAY_BE` and the others. */
  readonly #areKeptBack: Uint8Array;
  readonly #columns: {
    readonly ts: RowNumbers;
    readonly te: RowNumbers;
    readonly utid: RowNumbers;
    readonly rank: RowNumbers;
    readonly priority: RowNumbers;
    readonly cpu: RowNumbers;
    readonly flags: RowNumbers;
  };
  /** The time of a wait by reason while it is told; else all 0. */
  readonly #ns = new Float64Array(WHYS.length);
  /** A stretch of another part between two with a free CPU that is no longer than this does not part them. */
  readonly #gapMax_ns: number;

  constructor(by: JudgedBy, judged: JudgedRanks, within: Span, tell: TellWait) {
    [this.#by, this.#judged, this.#within, this.#tell] = [by, judged, within, tell];
    this.#looked = { ts: within.ts - AROUND_NS, te: within.te + AROUND_NS };
    // Times are whole ns: a tick of 279.4 ns may be one of 279.
    this.#gapMax_ns = by.machine.tick_ns - 1;
    this.#cpus = new CpuTimeline(by, this.#looked);
    this.#unbarred = new KindSet(this.#kinds, this.#cpus, NOT_KEPT_BACK.barred);
    const { waits } = by.history;
    this.#areKeptBack = new Uint8Array(countOfKeys(waits.column('utid')));
    this.#columns = {
      ts: waits.column('ts'),
      te: waits.column('te'),
      utid: waits.column('utid'),
      rank: waits.column('rank'),
      priority: waits.column('priority'),
      cpu: waits.column('cpu'),
      flags: waits.column('flags'),
    };
  }

  run(): void {
    const { te } = this.#columns;
    const { rows, kinds } = this.#walked();
    const begin_ts = this.#beginsOf(rows);
    const begins = new Begins(begin_ts, kinds, this.#kinds, this.#listening);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      const until = Math.min(te[row] ?? 0, this.#looked.te);
      begins.before(this.#cpus);
      while (this.#cpus.next_ts <= until) {
        this.#cpus.goOn(this.#listening);
        this.#listening.settle();
        begins.before(this.#cpus);
      }
      const kind = this.#kinds[kinds[at] ?? DIVIDED];
      if (kind === undefined) continue;
      this.#divide(row, kind);
      this.#listening.end(kind.presence);
    }
  }

  /** When what is looked at of a wait begins. */
  #begins(row: number): number {
    return Math.max(this.#columns.ts[row] ?? 0, this.#looked.ts);
  }

  /** The same of each of some waits. A loop of its own: `filled` would have memory made for each time. */
  #beginsOf(rows: Uint32Array): Float64Array {
    const begin_ts = new Float64Array(rows.length);
    for (let at = 0; at < rows.length; at++) begin_ts[at] = this.#begins(rows[at] ?? 0);
    return begin_ts;
  }

  /** The waits that have one kind all the time, by their ends, and the number of each kind. The others are divided one by one. */
  #walked(): { readonly rows: Uint32Array; readonly kinds: Int32Array } {
    const { ts, te } = this.#columns;
    const first = firstWhere(te.length, (row) => (te[row] ?? 0) > this.#within.ts);
    const rows = new Uint32Array(te.length - first);
    const kinds = new Int32Array(rows.length);
    let count = 0;
    for (let row = first; row < te.length; row++) {
      if ((ts[row] ?? 0) >= this.#within.te || (ts[row] ?? 0) >= (te[row] ?? 0)) continue;
      const kind = this.#kindOf(row);
      if (kind === DIVIDED) continue;
      rows[count] = row;
      kinds[count++] = kind;
    }
    return { rows: rows.subarray(0, count), kinds: kinds.subarray(0, count) };
  }

  /** The number of the kind of a wait; `DIVIDED` if it is divided here and now. */
  #kindOf(row: number): number {
    const { ts, te, utid, priority } = this.#columns;
    const { machine } = this.#by;
    const from = ts[row] ?? 0;
    const to = te[row] ?? 0;
    const thread = utid[row] ?? 0;
    let barred = NOT_KEPT_BACK.barred;
    const isReadIn = this.#wasSwappedOut(row) && this.#lastReady(row) !== null;
    if (isReadIn || (this.#mayBeKeptBack(thread) && machine.isKeptBack(thread, from, to))) {
      const wait = waitAt(this.#by.history, row, this.#judged);
      const looked = { ts: this.#begins(row), te: Math.min(to, this.#looked.te) };
      const kept = keptBack(machine, wait, looked);
      if (kept === null) {
        this.#divideAlone(row);
        return DIVIDED;
      }
      if (kept.held !== null) {
        this.#tellHeld(row, kept.held);
        return DIVIDED;
      }
      ({ barred } = kept);
    }
    const rank = this.#judged.of(thread, from)?.rank ?? orNotThere(this.#columns.rank[row]);
    return this.#setOf(barred).of(rank, orNotThere(priority[row]));
  }

  /** Whether a thread is kept back at any time: asked once for each. */
  #mayBeKeptBack(thread: number): boolean {
    const known = this.#areKeptBack[thread] ?? UNKNOWN;
    if (known !== UNKNOWN) return known === MAY_BE;
    const mayBe = this.#by.machine.isKeptBack(thread, -Infinity, Infinity);
    this.#areKeptBack[thread] = mayBe ? MAY_BE : NEVER;
    return mayBe;
  }

  #setOf(barred: readonly number[]): KindSet {
    if (barred.length === 0) return this.#unbarred;
    const key = barred.join();
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const set = new KindSet(this.#kinds, this.#cpus, barred);
    this.#sets.set(key, set);
    return set;
  }

  #divideAlone(row: number): void {
    const wait = waitAt(this.#by.history, row, this.#judged);
    const piece = { ts: Math.max(wait.ts, this.#within.ts), te: Math.min(wait.te, this.#within.te) };
    for (const { why, ts, te } of splitReady(this.#by, wait, piece)) this.#add(numberOf(why), te - ts);
    this.#tell(row, this.#ns, SEVERAL);
    this.#ns.fill(0);
  }

  #tellHeld(row: number, held: Held): void {
    const { ts, te } = this.#columns;
    const length_ns = Math.min(te[row] ?? 0, this.#within.te) - Math.max(ts[row] ?? 0, this.#within.ts);
    this.#add(numberOf(held), length_ns);
    this.#tell(row, this.#ns, SEVERAL);
    this.#ns.fill(0);
  }

  /** Divides a wait whose CPUs are known up to its end, or up to the end of what is looked at. */
  #divide(row: number, kind: WaitKind): void {
    const { ts, te, cpu } = this.#columns;
    const from = Math.max(ts[row] ?? 0, this.#within.ts);
    const to = Math.min(te[row] ?? 0, this.#within.te);
    const onCpu = cpu[row] ?? NaN;
    // A place in arrays is a whole number.
    const took = onCpu >= 0 ? onCpu | 0 : NO_CPU;
    const ns = this.#ns;
    // Most waits are short: nothing changes in them.
    const whole = from === ts[row] && to === te[row] ? this.#wholeOf(row, kind, took) : SEVERAL;
    if (whole !== SEVERAL) {
      ns[whole] = to - from;
      this.#tell(row, ns, whole);
      ns[whole] = 0;
      return;
    }
    kind.addWhys(from, to, ns);
    this.#takeInterrupts(kind, took, from, to);
    // What passes while a CPU is free is not explained but for these.
    const free_ns = ns[FREE] ?? 0;
    if (free_ns > 0) {
      const delay = this.#delayFor(row, took);
      if (delay === SWAPPED_OUT) this.#move(free_ns, FREE, delay);
      else this.#move(this.#delayOf(row, kind, took, longestOf(delay)), FREE, delay);
    }
    this.#tell(row, ns, SEVERAL);
    for (let why = 0; why < ns.length; why++) ns[why] = 0;
  }

  /** The reason for all of a wait, which lies within what counts; `SEVERAL` where CPUs or interrupts change in it. */
  #wholeOf(row: number, kind: WaitKind, took: number): number {
    const from = this.#columns.ts[row] ?? 0;
    const to = this.#columns.te[row] ?? 0;
    const { presence } = kind;
    const stretch = presence.before(to);
    if (stretch < 0 || (presence.ts[stretch] ?? 0) > from || this.#isInterrupted(took, from, to))
      return SEVERAL;
    const why = kind.whyIn(stretch);
    if (why !== FREE) return why;
    const delay = this.#delayFor(row, took);
    return delay === SWAPPED_OUT || (took !== NO_CPU && to - from <= longestOf(delay)) ? delay : FREE;
  }

  /** Whether a CPU was in an interrupt at some time. */
  #isInterrupted(cpu: number, from: number, to: number): boolean {
    const interruptions = this.#interruptionsOn(cpu);
    const last = interruptions?.before(to) ?? -1;
    if (interruptions === null || last < 0) return false;
    return (interruptions.ts[last] ?? 0) > from || interruptions.state[last] !== NOT_INTERRUPTED;
  }

  /** What explains that a thread waits while a CPU is free, if it is no longer than that takes. */
  #delayFor(row: number, took: number): number {
    if (this.#isOut(row)) return SWAPPED_OUT;
    return this.#cpus.wasIdleUntil(took, this.#columns.te[row] ?? 0) ? IDLE_WAKE_UP : PREEMPTION_DELAY;
  }

  #interruptionsOn(cpu: number): Interruptions | null {
    const { interruptions } = this.#cpus;
    return cpu >= 0 && cpu < interruptions.length ? (interruptions[cpu] ?? null) : null;
  }

  /** While the CPU that took the thread was in interrupts, these kept it. */
  #takeInterrupts(kind: WaitKind, took: number, from: number, to: number): void {
    const interruptions = this.#interruptionsOn(took);
    if (interruptions === null) return;
    const { ts, state } = interruptions;
    let end = to;
    for (let at = interruptions.before(to); at >= 0 && end > from; at--) {
      const start = Math.max(from, ts[at] ?? 0);
      const of = state[at] ?? NOT_INTERRUPTED;
      if (of !== NOT_INTERRUPTED) this.#takeInterrupt(kind, took, of, start, end);
      end = start;
    }
  }

  #takeInterrupt(kind: WaitKind, took: number, state: number, from: number, to: number): void {
    const { ts } = kind.presence;
    let end = to;
    for (let stretch = kind.presence.before(to); end > from; stretch--) {
      const start = Math.max(from, ts[stretch] ?? 0);
      this.#move(end - start, kind.whyIn(stretch), kind.whyTaken(stretch, took, state));
      end = start;
    }
  }

  /**
   * How much of the time that counts lies in the last stretches with a free CPU which only short ones part, if the wait ended with these and
   * they are no longer than a delay.
   */
  #delayOf(row: number, kind: WaitKind, took: number, longest_ns: number): number {
    const te = this.#columns.te[row] ?? 0;
    if (te > this.#looked.te || took === NO_CPU) return 0;
    const { presence } = kind;
    const begin = this.#begins(row);
    const interruptions = this.#interruptionsOn(took);
    let stretch = presence.before(te);
    let interruption = interruptions?.before(te) ?? -1;
    let free_ns = 0;
    let counted_ns = 0;
    let before = FREE;
    let before_te = te;
    for (let end = te; end > begin;) {
      const stretch_ts = presence.ts[stretch] ?? 0;
      const isRecorded = interruptions !== null && interruption >= 0;
      const interruption_ts = isRecorded ? (interruptions.ts[interruption] ?? 0) : -Infinity;
      const state = isRecorded ? (interruptions.state[interruption] ?? NOT_INTERRUPTED) : NOT_INTERRUPTED;
      const start = Math.max(stretch_ts, interruption_ts, begin);
      const why = state === NOT_INTERRUPTED ? kind.whyIn(stretch) : kind.whyTaken(stretch, took, state);
      if (why !== before) {
        before = why;
        before_te = end;
      }
      if (why === FREE) {
        free_ns += end - start;
        counted_ns += Math.max(0, Math.min(end, this.#within.te) - Math.max(start, this.#within.ts));
        if (free_ns > longest_ns) return 0;
      } else if (before_te - start > this.#gapMax_ns) break;
      if (stretch_ts === start) stretch--;
      if (interruption_ts === start) interruption--;
      end = start;
    }
    return counted_ns;
  }

  /** Whether its stack or process was swapped out when it was readied, and nothing tells when that was read in. */
  #isOut(row: number): boolean {
    return this.#wasSwappedOut(row) && this.#lastReady(row) === null;
  }

  #wasSwappedOut(row: number): boolean {
    return wasSwappedOut({ flags: this.#columns.flags[row] ?? null });
  }

  /** Of few waits it is asked. */
  #lastReady(row: number): number | null {
    return this.#by.history.waits.number('last_ready_ts', row);
  }

  #add(why: number, ns: number): void {
    this.#ns[why] = (this.#ns[why] ?? 0) + ns;
  }

  #move(ns: number, from: number, to: number): void {
    this.#add(from, -ns);
    this.#add(to, ns);
  }
}

/** Waits in the order in which they begin. */
class Begins {
  readonly #begin_ts: Float64Array;
  /** The number of the kind of each. */
  readonly #kindOf: Int32Array;
  readonly #kinds: readonly WaitKind[];
  readonly #listening: Listening;
  readonly #order: Uint32Array;
  #next = 0;

  constructor(begin_ts: Float64Array, kindOf: Int32Array, kinds: readonly WaitKind[], listening: Listening) {
    [this.#begin_ts, this.#kindOf, this.#kinds, this.#listening] = [begin_ts, kindOf, kinds, listening];
    this.#order = orderOf(begin_ts);
  }

  /** Those that begin before CPUs change need what these do from now on. */
  before(cpus: CpuTimeline): void {
    const ts = cpus.next_ts;
    for (; this.#next < this.#order.length; this.#next++) {
      const wait = this.#order[this.#next] ?? 0;
      if (!((this.#begin_ts[wait] ?? 0) < ts)) return;
      const kind = this.#kinds[this.#kindOf[wait] ?? DIVIDED];
      if (kind !== undefined) this.#listening.begin(kind.presence);
    }
  }
}

/** The kinds of waits that are barred from the same CPUs. */
class KindSet {
  readonly #presence: Presence;
  readonly #cpus: CpuTimeline;
  readonly #pairs = new PairNumbers();
  /** By pair of rank and priority, the number among all kinds. */
  readonly #numbers: number[] = [];
  readonly #all: WaitKind[];

  /** Puts its kinds behind `all` others. */
  constructor(all: WaitKind[], cpus: CpuTimeline, barred: readonly number[]) {
    [this.#all, this.#cpus] = [all, cpus];
    this.#presence = new Presence(cpus, barred);
  }

  /** The number of a kind. */
  of(rank: number, priority: number): number {
    return (this.#numbers[this.#pairs.of(rank, priority)] ??=
      this.#all.push(new WaitKind(this.#cpus, this.#presence, rank, priority)) - 1);
  }
}

/** How long a delay lasts at most. */
function longestOf(delay: number): number {
  return delay === IDLE_WAKE_UP ? IDLE_WAKE_UP_MAX_NS : PREEMPTION_DELAY_MAX_NS;
}

function orNotThere(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? NOT_THERE : value;
}
