import { grown, textAt } from '../../tables/index.ts';
import type { RankCase } from './rank-case.ts';
import { visitOverlaps, type Spans } from './overlaps.ts';
import type { RankDoubt } from './rank-doubts.ts';
import { rankWindows } from './rank-windows.ts';
import { loadCpuRecord } from './record.ts';

/** How long the order of the scheduler explains a wait, in ns of what is looked at. */
export interface RankEvidence {
  looked_at_ns: number;
  /** At the better of two ranks. */
  better_ns: number;
  /** At the worse. */
  worse_ns: number;
}

/** What begins or ends on a CPU. */
const RUN = 0;
/** A run that goes before a thread of the worse rank, and not of the better. */
const RUN_BEFORE_WORSE = 1;
/** A run that goes before a thread of either rank. */
const RUN_BEFORE_BOTH = 2;
/** The CPU could not run the thread. */
const CLOSED = 3;
/** What ran is not known. */
const UNKNOWN = 4;
const KINDS = 5;

/**
 * How long in all the order of the scheduler explains each wait at the better and at the worse of its two ranks: the time in which
 * each CPU that the thread may use ran what goes before a thread of that rank.
 */
export async function rankEvidence(found: RankCase, waits: readonly RankDoubt[]): Promise<RankEvidence[]> {
  const { tables, machine } = found;
  const { cpu_count } = machine;
  const { spans, waitOf } = rankWindows(found, waits);
  const better = Float64Array.from(waits, (wait) => Math.min(wait.rank_before, wait.rank_after));
  const worse = Float64Array.from(waits, (wait) => Math.max(wait.rank_before, wait.rank_after));
  const priorities = Float64Array.from(waits, ({ priority }) => priority ?? Infinity);
  const changes = new Changes(spans, cpu_count);
  const columns = ['cpu', 'utid', 'rank', 'priority'] as const;
  await visitOverlaps(tables, 'etw_run', columns, spans, (window, ts, te, row, run) => {
    const wait = waitOf[window] ?? 0;
    const hasRank = run.rank.present === null || run.rank.present[row] === 1;
    const rank = run.rank.values[row] ?? 0;
    const isFirst = (run.priority.values[row] ?? 0) >= (priorities[wait] ?? 0);
    const goesBefore = (waitRank: number) =>
      !hasRank ? isFirst : rank < waitRank || (rank === waitRank && isFirst);
    let kind = RUN;
    if (run.utid.values[row] !== 0 && goesBefore(worse[wait] ?? 0))
      kind = goesBefore(better[wait] ?? 0) ? RUN_BEFORE_BOTH : RUN_BEFORE_WORSE;
    changes.add(window, run.cpu.values[row] ?? 0, kind, ts, te);
  });
  await visitOverlaps(tables, 'etw_interrupt', ['cpu', 'kind'], spans, (window, ts, te, row, interrupt) => {
    if (textAt(interrupt.kind, row) === 'threaded_dpc') return;
    changes.add(window, interrupt.cpu.values[row] ?? 0, CLOSED, ts, te);
  });
  const record = await loadCpuRecord(tables);
  const restrictions = waits.map((wait) => ({
    holds: machine.holdsOf(wait),
    bounds: machine.boundsOf(wait),
  }));
  spans.start.forEach((_, window) => {
    const { holds, bounds } = restrictions[waitOf[window] ?? 0] ?? { holds: [], bounds: [] };
    // What holds the thread back is on no CPU: one more stands for it.
    for (const { ts, te } of holds) changes.add(window, cpu_count, UNKNOWN, ts, te);
    for (const { cpu, ts, te } of record.losses) changes.add(window, cpu, UNKNOWN, ts, te);
    for (const { ts, te, cpus } of bounds)
      for (let cpu = 0; cpu < cpu_count; cpu++) if (!cpus.has(cpu)) changes.add(window, cpu, CLOSED, ts, te);
  });
  const evidence = waits.map((): RankEvidence => ({ looked_at_ns: 0, better_ns: 0, worse_ns: 0 }));
  changes.sumUp((window, looked_at_ns, better_ns, worse_ns) => {
    const of = evidence[waitOf[window] ?? -1];
    if (of === undefined) return;
    of.looked_at_ns += looked_at_ns;
    of.better_ns += better_ns;
    of.worse_ns += worse_ns;
  });
  return evidence;
}

/** What begins and ends on CPUs in windows. */
class Changes {
  readonly #windows: Spans;
  readonly #cpuCount: number;
  /** One more than CPUs. */
  readonly #places: number;
  #window = new Uint32Array(1 << 16);
  /** The time since the window's start, and below it the CPU, the kind, and 1 for an end. */
  #change = new Float64Array(1 << 16);
  #count = 0;

  constructor(windows: Spans, cpuCount: number) {
    this.#windows = windows;
    this.#cpuCount = cpuCount;
    this.#places = cpuCount + 1;
  }

  /** Something on a CPU from `ts` up to `te`, which may reach over the window's ends or lie apart from it. */
  add(window: number, cpu: number, kind: number, ts: number, te: number): void {
    const start = this.#windows.start[window] ?? 0;
    const from = Math.max(0, ts - start);
    const to = Math.min(te, this.#windows.end[window] ?? 0) - start;
    if (to <= from || cpu >= this.#places) return;
    const code = (cpu * KINDS + kind) * 2;
    this.#push(window, from * this.#codes + code);
    this.#push(window, to * this.#codes + code + 1);
  }

  get #codes(): number {
    return this.#places * KINDS * 2;
  }

  #push(window: number, change: number): void {
    if (this.#count === this.#window.length) {
      this.#window = grown(this.#window, new Uint32Array(2 * this.#count));
      this.#change = grown(this.#change, new Float64Array(2 * this.#count));
    }
    this.#window[this.#count] = window;
    this.#change[this.#count++] = change;
  }

  /** Tells how long each window is. Also how long all CPUs keep the thread waiting at the better rank, and at the worse one. */
  sumUp(tell: (window: number, looked_at_ns: number, better_ns: number, worse_ns: number) => void): void {
    const { start, end } = this.#windows;
    const { offsets, changes } = this.#byWindow();
    const depths = new Uint32Array(this.#places * KINDS);
    for (let window = 0; window < start.length; window++) {
      depths.fill(0);
      const length = (end[window] ?? 0) - (start[window] ?? 0);
      // Each CPU is free for the thread until a run begins on it.
      let freeAtBetter = this.#cpuCount;
      let freeAtWorse = this.#cpuCount;
      let better_ns = 0;
      let worse_ns = 0;
      let at = 0;
      const goTo = (to: number) => {
        if (freeAtBetter === 0) better_ns += to - at;
        if (freeAtWorse === 0) worse_ns += to - at;
        at = to;
      };
      const own = changes.subarray(offsets[window], offsets[window + 1]).sort();
      for (const change of own) {
        const time = Math.floor(change / this.#codes);
        if (time > at) goTo(time);
        const code = change - time * this.#codes;
        const place = Math.floor(code / (2 * KINDS));
        const kind = (code >> 1) % KINDS;
        freeAtBetter -= this.#isFree(depths, place, RUN_BEFORE_BOTH, RUN_BEFORE_BOTH);
        freeAtWorse -= this.#isFree(depths, place, RUN_BEFORE_WORSE, RUN_BEFORE_BOTH);
        depths[place * KINDS + kind] = (depths[place * KINDS + kind] ?? 0) + (code % 2 === 0 ? 1 : -1);
        freeAtBetter += this.#isFree(depths, place, RUN_BEFORE_BOTH, RUN_BEFORE_BOTH);
        freeAtWorse += this.#isFree(depths, place, RUN_BEFORE_WORSE, RUN_BEFORE_BOTH);
      }
      goTo(length);
      tell(window, length, better_ns, worse_ns);
    }
  }

  /** 1 if a place would run the thread, were the runs of the kinds from `first` to `last` to go before it. */
  #isFree(depths: Uint32Array, place: number, first: number, last: number): number {
    const of = place * KINDS;
    if ((depths[of + CLOSED] ?? 0) > 0) return 0;
    if ((depths[of + UNKNOWN] ?? 0) > 0) return 1;
    if (place === this.#cpuCount) return 0;
    for (let kind = first; kind <= last; kind++) if ((depths[of + kind] ?? 0) > 0) return 0;
    return 1;
  }

  /** The changes of each window side by side. */
  #byWindow(): { readonly offsets: Uint32Array; readonly changes: Float64Array } {
    const offsets = new Uint32Array(this.#windows.start.length + 1);
    for (let at = 0; at < this.#count; at++) {
      const next = (this.#window[at] ?? 0) + 1;
      offsets[next] = (offsets[next] ?? 0) + 1;
    }
    for (let window = 1; window < offsets.length; window++)
      offsets[window] = (offsets[window] ?? 0) + (offsets[window - 1] ?? 0);
    const filled = offsets.slice();
    const changes = new Float64Array(this.#count);
    for (let at = 0; at < this.#count; at++) {
      const window = this.#window[at] ?? 0;
      const place = filled[window] ?? 0;
      changes[place] = this.#change[at] ?? 0;
      filled[window] = place + 1;
    }
    return { offsets, changes };
  }
}
