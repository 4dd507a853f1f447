import { toNumber, type Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { loadThreadNames, threadLabel, type ThreadName } from '../threads/index.ts';
import {
  interruptsInWindows,
  laneSpans,
  loadMachine,
  runsInWindows,
  sumRan,
  type Bound,
  type CpuSpan,
  type LaneSpan,
  type Machine,
  type RanSum,
  type Windows,
} from '../why-late/columns/index.ts';
import { findWait, type ChosenRow } from './longest-waits.ts';
import { describeMeanwhile, type Meanwhile, type MeanwhileSpan, type NamedRanSum } from './meanwhile.ts';
import { readWait, type ReadyWait } from './ready-wait.ts';
import { sweep } from './sweep.ts';
import { judge, type Verdict } from './verdict.ts';

/** About how many runs of the chosen wait are looked at, and in how many windows if there are more. */
const SWEPT_RUNS = 100_000;
const SWEPT_WINDOWS = 200;

/** A wait that is chosen. */
export interface ChosenWait {
  readonly wait_ts: number;
  readonly wait_tid: number;
}

/** What a verdict has to know of a trace. */
export interface MachineFacts extends Pick<Machine, 'cpu_count' | 'tick_ns'> {
  /** What the trace does not hold of what explains waits, in words. */
  readonly unrecorded_causes: readonly string[];
}

/** Steps into which the chosen wait is cut, where its runs are too short to draw one by one. */
const LANE_STEPS = 600;

/** Room before and after a wait in its lanes, as a part of the wait's length. */
const ROOM = 0.02;

/** What the lanes of a wait show: the range in view where that lies within the wait, and else all of the wait. */
export function lanesRange({ ts, dur }: ReadyWait, inView: Stretch): Stretch {
  const around = { start: ts - dur * ROOM, end: ts + dur * (1 + ROOM) };
  const isWithin = inView.start >= around.start && inView.end <= around.end;
  const shows = inView.start < ts + dur && inView.end > ts;
  return isWithin && shows ? inView : around;
}

/** The part of a wait whose runs are drawn while `inView` is in view. */
function partInSight(wait: ReadyWait, inView: Stretch): Stretch {
  const { start, end } = lanesRange(wait, inView);
  return {
    start: Math.max(wait.ts, Math.floor(start)),
    end: Math.min(wait.ts + wait.dur, Math.ceil(end)),
  };
}

/** What ran during a wait; null where the trace has no such wait. Its runs are those in `range`, if that shows a part of it. */
export async function loadMeanwhile(
  query: Query,
  facts: MachineFacts,
  { wait_ts, wait_tid }: ChosenWait,
  range: Stretch,
): Promise<Meanwhile | null> {
  const chosen = await findWait(query, wait_tid, wait_ts);
  if (chosen === null) return null;
  const { row, wait } = chosen;
  const { tables } = dataOf(query);
  const threads = await loadThreadNames(tables);
  const { sums, gaps } = await sumRan(tables, await loadMachine(tables), wait);
  const runs = sums.reduce((total, sum) => total + sum.runs, 0);
  const verdict = await judgeChosen(query, chosen, facts, gaps, runs);
  const waited = readWait(row, verdict.main);
  const seen = partInSight(waited, range);
  const step_ns = Math.max(1, Math.ceil((seen.end - seen.start) / LANE_STEPS));
  const spans = await laneSpans(tables, wait, seen, { step_ns });
  return describeMeanwhile(
    waited,
    facts.cpu_count,
    sums.map((sum) => ({ ...sum, ...named(threads.get(sum.utid)) })),
    spans.map((span) => spanOf(span, threads)),
    verdict,
  );
}

function named(name: ThreadName | undefined): Omit<NamedRanSum, keyof RanSum> {
  const { tid = null, thread = null, pid = null, process = null, service = null } = name ?? {};
  return { tid, thread, pid, process, service };
}

function spanOf({ run, ...span }: LaneSpan, threads: ReadonlyMap<number, ThreadName>): MeanwhileSpan {
  if (run === null) return { ...span, thread: null, rank: null, priority: null };
  const thread = span.standing === 'idle' ? 'idle' : threadLabel(threads.get(run.utid));
  return { ...span, thread, rank: run.rank, priority: run.priority };
}

/** The verdict on a wait with so many runs in it, in which events of CPUs are missing for some time. */
export async function judgeChosen(
  query: Query,
  { row, wait }: ChosenRow,
  { cpu_count, tick_ns, unrecorded_causes }: MachineFacts,
  gaps: readonly CpuSpan[],
  runs: number,
): Promise<Verdict> {
  const { tables } = dataOf(query);
  const machine = await loadMachine(tables);
  const one_in = Math.max(1, Math.ceil(runs / SWEPT_RUNS));
  const windows = windowsOf(wait.te - wait.ts, one_in);
  const evidence = {
    runs: await runsInWindows(tables, wait, windows),
    gaps,
    interrupts: await interruptsInWindows(tables, wait, windows),
    held: machine.holdsOf(wait),
    bound: machine.boundsOf(wait),
  };
  const waited = readWait(row, null);
  return judge(waited, cpu_count, sweep(waited, { cpu_count, tick_ns }, evidence, windows), {
    swapped_out: row.swapped_out === 1,
    took_idle_cpu: row.took_idle_cpu === 1,
    c_state: toNumber(row.c_state),
    usable_cpus: boundForLongest(waited, evidence.bound),
    unrecorded: unrecorded_causes,
    one_in,
  });
}

/** The windows in which a wait is looked at, if that is one in so many parts of it. */
function windowsOf(dur: number, one_in: number): Windows {
  if (one_in === 1) return { period_ns: dur, window_ns: dur };
  const period_ns = Math.ceil(dur / SWEPT_WINDOWS);
  return { period_ns, window_ns: Math.ceil(period_ns / one_in) };
}

/** The CPUs to which the thread was bound for longest in the wait; null if it was not. */
function boundForLongest({ ts, dur }: ReadyWait, bound: readonly Bound[]): readonly number[] | null {
  const length = (span: Bound) => Math.min(span.te, ts + dur) - Math.max(span.ts, ts);
  const [longest] = [...bound].sort((a, b) => length(b) - length(a));
  return longest === undefined ? null : [...longest.cpus].sort((a, b) => a - b);
}
