import { numberAt, textAt, type Tables } from '../../tables/index.ts';
import { standingOf, STANDINGS, type Standing } from '../standing.ts';
import type { Machine } from './machine.ts';
import { RanSums, type RanSum } from './ran-sums.ts';
import { loadCpuRecord } from './record.ts';
import type { Wait } from './wait.ts';

/** A stretch of time on a CPU; `te` is outside. */
export interface CpuSpan {
  readonly cpu: number;
  readonly ts: number;
  readonly te: number;
}

/** What ran while a thread waited. */
export interface Ran {
  /** Most CPU time first. */
  readonly sums: readonly RanSum[];
  /** When events of a CPU are missing; they may overlap. */
  readonly gaps: readonly CpuSpan[];
}

/** A run, and how it stands to the thread that waited. */
export interface RanRun extends CpuSpan {
  readonly standing: Standing;
}

/** The parts of a wait that are looked at: the last `window_ns` of each `period_ns`, counted back from its end. */
export interface Windows {
  readonly period_ns: number;
  readonly window_ns: number;
}

const COLUMNS = ['ts', 'te', 'cpu', 'utid', 'rank', 'priority'] as const;

/** Sums up what ran while a thread waited, and tells where that is not known. */
export async function sumRan(tables: Tables, machine: Machine, wait: Wait): Promise<Ran> {
  const record = await loadCpuRecord(tables);
  const sums = new RanSums();
  const gaps: CpuSpan[] = record.losses.filter(({ ts, te }) => ts < wait.te && te > wait.ts);
  // Until when each CPU's runs are told. A CPU without earlier runs does not count as a CPU with missing events.
  const told = record.first_run_ts.map((ts) => Math.max(ts, wait.ts));
  const goTo = (cpu: number, ts: number) => {
    const from = told[cpu] ?? Infinity;
    if (from < ts) gaps.push({ cpu, ts: from, te: ts });
  };
  await eachRun(tables, wait, (cpu, ts, te, utid, rank, priority) => {
    goTo(cpu, ts);
    told[cpu] = te;
    sums.add(utid, rank, priority, te - ts);
  });
  for (let cpu = 0; cpu < machine.cpu_count; cpu++) goTo(cpu, wait.te);
  return { sums: sums.of(wait), gaps: gaps.sort((a, b) => a.ts - b.ts) };
}

/** The runs in windows of a wait, clipped to the wait. */
export async function runsInWindows(tables: Tables, wait: Wait, windows: Windows): Promise<RanRun[]> {
  const runs: RanRun[] = [];
  await eachRun(tables, wait, (cpu, ts, te, utid, rank, priority) => {
    if (!isLookedAt(wait, ts, te, windows)) return;
    runs.push({ cpu, ts, te, standing: standingOf(utid, rank, priority, wait.rank, wait.priority) });
  });
  return runs;
}

/** DPCs and ISRs in windows of a wait, clipped to the wait. A threaded DPC is a thread's work. */
export async function interruptsInWindows(tables: Tables, wait: Wait, windows: Windows): Promise<CpuSpan[]> {
  const found: CpuSpan[] = [];
  const names = ['ts', 'dur', 'cpu', 'kind'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_interrupt', names, rangeOf(wait))) {
    for (let row = 0; row < rowCount; row++) {
      const began = columns.ts.values[row] ?? 0;
      const ts = Math.max(wait.ts, began);
      const te = Math.min(wait.te, began + (columns.dur.values[row] ?? 0));
      if (te <= ts || !isLookedAt(wait, ts, te, windows)) continue;
      if (textAt(columns.kind, row) !== 'threaded_dpc')
        found.push({ cpu: columns.cpu.values[row] ?? 0, ts, te });
    }
  }
  return found;
}

function isLookedAt({ te: end }: Wait, ts: number, te: number, { period_ns, window_ns }: Windows): boolean {
  const [from, to] = [end - te, end - ts - 1];
  return from % period_ns < window_ns || Math.floor(from / period_ns) !== Math.floor(to / period_ns);
}

/** A run that is long enough to be seen, or the sum of shorter ones of one CPU and standing in a step of time. */
export interface LaneSpan {
  readonly cpu: number;
  readonly ts: number;
  readonly dur: number;
  readonly ran_ns: number;
  readonly standing: Standing;
  /** The run; null for a sum. */
  readonly run: { readonly utid: number; readonly rank: number | null; readonly priority: number } | null;
}

/** How runs are drawn: one by one where they are at least half a step long, else summed up in steps. */
export interface Lanes {
  readonly step_ns: number;
}

/** What ran on each CPU in a part of a wait, in the order of CPU and time. */
export async function laneSpans(
  tables: Tables,
  wait: Wait,
  part: { readonly start: number; readonly end: number },
  { step_ns }: Lanes,
): Promise<LaneSpan[]> {
  const spans: LaneSpan[] = [];
  const steps = Math.ceil((part.end - part.start) / step_ns);
  const short = new Map<number, Float64Array>();
  const least_ns = Math.floor(step_ns / 2);
  await eachRun(tables, { ts: part.start, te: part.end }, (cpu, ts, te, utid, rank, priority) => {
    const dur = te - ts;
    const standing = standingOf(utid, rank, priority, wait.rank, wait.priority);
    if (dur >= least_ns) {
      spans.push({ cpu, ts, dur, ran_ns: dur, standing, run: { utid, rank, priority } });
      return;
    }
    let sums = short.get(cpu);
    if (sums === undefined) short.set(cpu, (sums = new Float64Array(steps * STANDINGS.length)));
    const step = Math.floor((ts + Math.floor(dur / 2) - part.start) / step_ns);
    const place = step * STANDINGS.length + STANDINGS.indexOf(standing);
    sums[place] = (sums[place] ?? 0) + dur;
  });
  for (const [cpu, sums] of short)
    sums.forEach((ran_ns, place) => {
      const standing = STANDINGS[place % STANDINGS.length];
      if (ran_ns === 0 || standing === undefined) return;
      const ts = part.start + Math.floor(place / STANDINGS.length) * step_ns;
      spans.push({ cpu, ts, dur: step_ns, ran_ns, standing, run: null });
    });
  return spans.sort((a, b) => a.cpu - b.cpu || a.ts - b.ts);
}

type TellRun = (
  cpu: number,
  ts: number,
  te: number,
  utid: number,
  rank: number | null,
  priority: number,
) => void;

/** Gives `tell` each run that a stretch of time touches, clipped to the stretch. */
async function eachRun(tables: Tables, stretch: Pick<Wait, 'ts' | 'te'>, tell: TellRun): Promise<void> {
  for await (const { rowCount, columns } of tables.batches('etw_run', COLUMNS, rangeOf(stretch))) {
    for (let row = 0; row < rowCount; row++) {
      const ts = Math.max(stretch.ts, columns.ts.values[row] ?? 0);
      const te = Math.min(stretch.te, columns.te.values[row] ?? 0);
      if (te <= ts) continue;
      const rank = numberAt(columns.rank, row);
      tell(
        columns.cpu.values[row] ?? 0,
        ts,
        te,
        columns.utid.values[row] ?? 0,
        rank,
        columns.priority.values[row] ?? 0,
      );
    }
  }
}

function rangeOf({ ts, te }: Pick<Wait, 'ts' | 'te'>): { readonly start: number; readonly end: number } {
  return { start: ts, end: te };
}
