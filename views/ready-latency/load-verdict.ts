import { toNumber, type Query, type Row } from '../../shared/engine/index.ts';
import { boundSql, heldSql, standingSql, type Held, type Standing } from '../../shared/why-late/index.ts';
import boundsSql from './bounds.sql';
import chosenSql from './chosen.sql';
import gapsSql from './gaps.sql';
import holdsSql from './holds.sql';
import interruptsSql from './interrupts.sql';
import type { RecordedFacts } from './load-recorded.ts';
import type { ReadyWait } from './model.ts';
import ranRunsSql from './ran-runs.sql';
import { sweep, type Evidence, type Windows } from './sweep.ts';
import { judge, type Verdict } from './verdict.ts';

/** About how many runs of the chosen wait are looked at, and in how many windows if there are more. */
const SWEPT_RUNS = 100_000;
const SWEPT_WINDOWS = 200;

/**
 * The verdict on the chosen wait, with `runs` runs in it; `row` is its row of `details.sql`.
 */
export async function loadVerdict(
  query: Query,
  row: Row,
  wait: ReadyWait,
  recorded: Pick<RecordedFacts, 'cpu_count' | 'tick_ns' | 'unrecorded_causes'>,
  runs: number,
): Promise<Verdict> {
  const { one_in, ...windows } = windowsFor(wait.dur, runs);
  const span = { span_start: wait.ts, span_end: wait.ts + wait.dur };
  const ran = await query(`${standingSql}${ranRunsSql}`, {
    ...span,
    ...windows,
    wait_rank: wait.rank,
    wait_priority: wait.priority,
  });
  const gaps = await query(gapsSql, span);
  const interrupts = await query(interruptsSql, { ...span, ...windows });
  const chosen = { wait_ts: wait.ts, wait_tid: wait.tid };
  const held = await query(`${chosenSql}${heldSql}${holdsSql}`, chosen);
  const bounds = await query(`${chosenSql}${boundSql}${boundsSql}`, chosen);
  const evidence: Evidence = {
    runs: [...ran.rows()].map((run) => ({
      ...readSpan(run),
      cpu: Number(run.cpu),
      standing: run.standing as Standing,
    })),
    gaps: [...gaps.rows()].map((gap) => ({ ...readSpan(gap), cpu: Number(gap.cpu) })),
    interrupts: [...interrupts.rows()].map((one) => ({ ...readSpan(one), cpu: Number(one.cpu) })),
    held: [...held.rows()].map((one) => ({ ...readSpan(one), why: one.why as Held })),
    bound: [...bounds.rows()].map((one) => ({
      ...readSpan(one),
      cpus: new Set(JSON.parse(String(one.cpus)) as number[]),
    })),
  };
  return judgeEvidence(row, wait, recorded, evidence, { one_in, ...windows });
}

/** The verdict that evidence of windows gives. */
export function judgeEvidence(
  row: Row,
  wait: ReadyWait,
  recorded: Pick<RecordedFacts, 'cpu_count' | 'tick_ns' | 'unrecorded_causes'>,
  evidence: Evidence,
  { one_in, ...windows }: SparseWindows,
): Verdict {
  return judge(wait, recorded.cpu_count, sweep(wait, recorded, evidence, windows), {
    ...readFacts(row),
    c_state: toNumber(row.c_state),
    usable_cpus: boundForLongest(wait, evidence.bound),
    unrecorded: recorded.unrecorded_causes,
    one_in,
  });
}

/** The CPUs to which the thread was bound for longest in the wait; null if it was not. */
function boundForLongest({ ts, dur }: ReadyWait, bound: Evidence['bound']): readonly number[] | null {
  const length = (span: Evidence['bound'][number]) => Math.min(span.te, ts + dur) - Math.max(span.ts, ts);
  const [longest] = [...bound].sort((a, b) => length(b) - length(a));
  return longest === undefined ? null : [...longest.cpus].sort((a, b) => a - b);
}

/** Windows, and which part of a wait they are: one in so much. */
export interface SparseWindows extends Windows {
  readonly one_in: number;
}

/** The windows in which a wait is looked at, with so many runs in it. */
export function windowsFor(dur: number, runs: number): SparseWindows {
  const one_in = Math.max(1, Math.ceil(runs / SWEPT_RUNS));
  if (one_in === 1) return { one_in, period_ns: dur, window_ns: dur };
  const period_ns = Math.ceil(dur / SWEPT_WINDOWS);
  return { one_in, period_ns, window_ns: Math.ceil(period_ns / one_in) };
}

function readSpan(row: Row): { readonly ts: number; readonly te: number } {
  return { ts: Number(row.ts), te: Number(row.te) };
}

function readFacts(row: Row): { readonly swapped_out: boolean; readonly took_idle_cpu: boolean } {
  return { swapped_out: row.swapped_out === 1, took_idle_cpu: row.took_idle_cpu === 1 };
}
