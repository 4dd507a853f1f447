import {
  IDLE_WAKE_UP_MAX_NS,
  NOT_THERE,
  PARTS,
  PREEMPTION_DELAY_MAX_NS,
  WHYS,
  type Held,
  type Why,
} from '../../why-late/index.ts';
import { orderOf } from '../../tables/index.ts';
import { wasSwappedOut, type JudgedRanks } from '../../why-late/columns/index.ts';
import { waitAt } from '../history.ts';
import { AROUND_NS, splitReady, type JudgedBy } from '../ready-parts.ts';
import { firstWhere, type RowNumbers } from '../rows.ts';
import type { Span } from '../stretches.ts';
import { CpuTimeline } from './cpu-timeline.ts';
import { keptBack, NOT_KEPT_BACK } from './kept-back.ts';
import { OpenWaits } from './open-waits.ts';
import { FREE, WaitKinds } from './wait-kinds.ts';

/** What is called with a row of a ready wait, and the time of it by reason: in ns, in the order of `WHYS`; good until the next call. */
export type TellWait = (row: number, ns: Float64Array) => void;

const numberOf = (why: Why) => WHYS.indexOf(why);
const SWAPPED_OUT = numberOf('swapped_out');
const IDLE_WAKE_UP = numberOf('idle_wake_up');
const PREEMPTION_DELAY = numberOf('preemption_delay');
const NOT_EXPLAINED = numberOf('not_explained');
/** The number of the reason that a part is. A free CPU explains nothing by itself. */
const WHY_OF = Uint8Array.from(PARTS, (part) => numberOf(part === 'free' ? 'not_explained' : part));

/**
 * Divides all ready waits of the history, as far as they lie in `within`, by reason: the sums of what `splitReady` gives of each. One
 * walk over the CPUs counts for all waits at once. The history reaches `AROUND_NS` farther than `within`.
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
  readonly #kinds: WaitKinds;
  /** The number of a kind by its rank and priority: of threads that may use all CPUs, and for each set of barred CPUs. */
  readonly #plain = new Map<number, number>();
  readonly #numbers = new Map<string, Map<number, number>>();
  readonly #columns: {
    readonly ts: RowNumbers;
    readonly te: RowNumbers;
    readonly utid: RowNumbers;
    readonly rank: RowNumbers;
    readonly priority: RowNumbers;
    readonly cpu: RowNumbers;
    readonly flags: RowNumbers;
    readonly last_ready_ts: RowNumbers;
  };
  readonly #open = new OpenWaits();
  readonly #ns = new Float64Array(WHYS.length);
  /** By row of those that are walked: its taker. */
  readonly #takers: Int32Array;
  readonly #slots: Int32Array;
  /** The rows that are walked, by their ends. */
  readonly #rows: Uint32Array;
  readonly #first: number;

  constructor(by: JudgedBy, judged: JudgedRanks, within: Span, tell: TellWait) {
    [this.#by, this.#judged, this.#within, this.#tell] = [by, judged, within, tell];
    this.#looked = { ts: within.ts - AROUND_NS, te: within.te + AROUND_NS };
    this.#cpus = new CpuTimeline(by, this.#looked);
    this.#kinds = new WaitKinds(this.#cpus, by.machine.tick_ns);
    const { waits } = by.history;
    this.#columns = {
      ts: waits.column('ts'),
      te: waits.column('te'),
      utid: waits.column('utid'),
      rank: waits.column('rank'),
      priority: waits.column('priority'),
      cpu: waits.column('cpu'),
      flags: waits.column('flags'),
      last_ready_ts: waits.column('last_ready_ts'),
    };
    const { te } = this.#columns;
    this.#first = firstWhere(waits.count, (row) => (te[row] ?? 0) > within.ts);
    this.#takers = new Int32Array(waits.count - this.#first);
    this.#slots = new Int32Array(waits.count - this.#first).fill(-1);
    this.#rows = this.#walked();
  }

  run(): void {
    const rows = this.#rows;
    const begins = new Float64Array(rows.length);
    for (let at = 0; at < rows.length; at++) begins[at] = this.#begins(rows[at] ?? 0);
    const starts = orderOf(begins);
    const { te } = this.#columns;
    const change = (cpu: number) => {
      this.#kinds.change(cpu);
    };
    const marks = [this.#within.ts, this.#within.te, Infinity];
    let [start, end, mark] = [0, 0, 0];
    const begins_ts = () => begins[starts[start] ?? -1] ?? Infinity;
    const ends_ts = () => te[rows[end] ?? -1] ?? Infinity;
    let [start_ts, end_ts, mark_ts] = [begins_ts(), ends_ts(), this.#within.ts];
    while (start < rows.length || !this.#open.areNone) {
      const now = Math.min(this.#cpus.next_ts, start_ts, end_ts, mark_ts);
      if (now > this.#looked.te) return;
      if (this.#cpus.next_ts === now) this.#cpus.goTo(now, change);
      for (; end_ts <= now; end_ts = ends_ts()) this.#end(rows[end++] ?? 0);
      if (mark_ts === now) {
        if (mark === 0) this.#startToCount(now);
        else this.#stopToCount(now);
        mark_ts = marks[++mark] ?? Infinity;
      }
      for (; start_ts <= now; start_ts = begins_ts()) this.#begin(rows[starts[start++] ?? 0] ?? 0, now);
      this.#kinds.settle(now);
    }
  }

  /** When what is looked at of a wait begins. */
  #begins(row: number): number {
    return Math.max(this.#columns.ts[row] ?? 0, this.#looked.ts);
  }

  /** Those waits of which the same holds all the time. The others are divided one by one. */
  #walked(): Uint32Array {
    const { ts, te } = this.#columns;
    const rows = new Uint32Array(this.#takers.length);
    let count = 0;
    for (let row = this.#first; row < te.length; row++) {
      if ((ts[row] ?? 0) >= this.#within.te || (ts[row] ?? 0) >= (te[row] ?? 0)) continue;
      const taker = this.#takerOf(row);
      if (taker === null) continue;
      this.#takers[row - this.#first] = taker;
      rows[count++] = row;
    }
    return rows.subarray(0, count);
  }

  /** The taker of a wait; null if it is divided here and now. */
  #takerOf(row: number): number | null {
    const { ts, te, utid, priority, cpu, flags, last_ready_ts } = this.#columns;
    const { machine } = this.#by;
    const [from, to, thread] = [ts[row] ?? 0, te[row] ?? 0, utid[row] ?? 0];
    let barred = NOT_KEPT_BACK.barred;
    const isReadIn = wasSwappedOut({ flags: flags[row] ?? null }) && !Number.isNaN(last_ready_ts[row]);
    if (isReadIn || machine.isKeptBack(thread, from, to)) {
      const wait = waitAt(this.#by.history, row, this.#judged);
      const looked = { ts: this.#begins(row), te: Math.min(to, this.#looked.te) };
      const kept = keptBack(machine, wait, looked);
      if (kept === null) {
        this.#divideAlone(row);
        return null;
      }
      if (kept.held !== null) {
        this.#tellHeld(row, kept.held);
        return null;
      }
      ({ barred } = kept);
    }
    const rank = this.#judged.of(thread, from)?.rank ?? orNotThere(this.#columns.rank[row]);
    const kind = this.#kindOf(rank, orNotThere(priority[row]), barred);
    const on = cpu[row] ?? NaN;
    return this.#kinds.takerOf(kind, Number.isNaN(on) || on >= machine.cpu_count ? null : on);
  }

  #kindOf(rank: number, priority: number, barred: readonly number[]): number {
    const numbers = barred.length === 0 ? this.#plain : this.#numbersOf(barred.join());
    const key = rank * 1024 + priority;
    let number = numbers.get(key);
    if (number === undefined) {
      number = this.#kinds.add({ rank, priority, barred });
      numbers.set(key, number);
    }
    return number;
  }

  #numbersOf(barred: string): Map<number, number> {
    const numbers = this.#numbers.get(barred) ?? new Map<number, number>();
    this.#numbers.set(barred, numbers);
    return numbers;
  }

  #divideAlone(row: number): void {
    const wait = waitAt(this.#by.history, row, this.#judged);
    this.#ns.fill(0);
    const piece = { ts: Math.max(wait.ts, this.#within.ts), te: Math.min(wait.te, this.#within.te) };
    for (const { why, ts, te } of splitReady(this.#by, wait, piece)) this.#add(numberOf(why), te - ts);
    this.#tell(row, this.#ns);
  }

  #tellHeld(row: number, held: Held): void {
    const { ts, te } = this.#columns;
    this.#ns.fill(0);
    const length_ns = Math.min(te[row] ?? 0, this.#within.te) - Math.max(ts[row] ?? 0, this.#within.ts);
    this.#add(numberOf(held), length_ns);
    this.#tell(row, this.#ns);
  }

  #begin(row: number, ts: number): void {
    const slot = this.#open.take(row);
    const taker = this.#takers[row - this.#first] ?? 0;
    this.#slots[row - this.#first] = slot;
    this.#kinds.begin(taker, ts);
    this.#kinds.copySums(taker, ts, this.#open.sums, this.#open.from(slot));
    this.#open.begin(slot);
  }

  /** A wait ended, be it after the time that counts. */
  #end(row: number): void {
    const slot = this.#slots[row - this.#first] ?? -1;
    if (slot < 0) return;
    const { te, cpu } = this.#columns;
    const taker = this.#takers[row - this.#first] ?? 0;
    const now = te[row] ?? 0;
    const { sums } = this.#open;
    const to = this.#open.to(slot);
    const counted_ns = now > this.#within.te ? (sums[to + FREE] ?? 0) : null;
    if (counted_ns === null) this.#kinds.copySums(taker, now, sums, to);
    const free_ns = this.#kinds.sumOf(taker, now, FREE);
    const took = cpu[row] ?? NaN;
    let delay_ns = 0;
    const tookIdle = this.#cpus.wasIdleUntil(took, now);
    const tail_ns = Number.isNaN(took) ? null : this.#kinds.tailFrom(taker, this.#begins(row), now);
    if (tail_ns !== null) {
      const from_ns = Math.max(tail_ns, this.#open.freeAtBegin(slot));
      if (free_ns - from_ns <= (tookIdle ? IDLE_WAKE_UP_MAX_NS : PREEMPTION_DELAY_MAX_NS))
        delay_ns = Math.max(
          0,
          (sums[to + FREE] ?? 0) - Math.max(from_ns, sums[this.#open.from(slot) + FREE] ?? 0),
        );
    }
    this.#close(row, slot, delay_ns, tookIdle ? IDLE_WAKE_UP : PREEMPTION_DELAY);
  }

  /** From now on the time of waits counts. */
  #startToCount(ts: number): void {
    for (const [slot, row] of this.#open.all())
      this.#kinds.copySums(this.#takers[row - this.#first] ?? 0, ts, this.#open.sums, this.#open.from(slot));
  }

  /** From now on it does not: of waits that end soon the end may still tell what a free CPU was. */
  #stopToCount(ts: number): void {
    const { te, cpu } = this.#columns;
    for (const [slot, row] of this.#open.all()) {
      this.#kinds.copySums(this.#takers[row - this.#first] ?? 0, ts, this.#open.sums, this.#open.to(slot));
      if ((te[row] ?? 0) > this.#looked.te || Number.isNaN(cpu[row]))
        this.#close(row, slot, 0, NOT_EXPLAINED);
    }
  }

  #close(row: number, slot: number, delay_ns: number, delay: number): void {
    const { sums } = this.#open;
    const [from, to] = [this.#open.from(slot), this.#open.to(slot)];
    const ns = this.#ns;
    ns[IDLE_WAKE_UP] = ns[PREEMPTION_DELAY] = 0;
    for (let part = 0; part < PARTS.length; part++)
      ns[WHY_OF[part] ?? 0] = (sums[to + part] ?? 0) - (sums[from + part] ?? 0);
    // What passes while a CPU is free is not explained but for these.
    if (this.#isOut(row)) {
      this.#add(SWAPPED_OUT, ns[NOT_EXPLAINED] ?? 0);
      ns[NOT_EXPLAINED] = 0;
    } else if (delay_ns > 0) {
      ns[delay] = delay_ns;
      this.#add(NOT_EXPLAINED, -delay_ns);
    }
    this.#open.release(slot);
    this.#slots[row - this.#first] = -1;
    this.#kinds.end(this.#takers[row - this.#first] ?? 0);
    this.#tell(row, this.#ns);
  }

  /** Whether its stack or process was swapped out when it was readied, and nothing tells when that was read in. */
  #isOut(row: number): boolean {
    const { flags, last_ready_ts } = this.#columns;
    return wasSwappedOut({ flags: flags[row] ?? null }) && Number.isNaN(last_ready_ts[row]);
  }

  #add(why: number, ns: number): void {
    this.#ns[why] = (this.#ns[why] ?? 0) + ns;
  }
}

function orNotThere(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? NOT_THERE : value;
}
