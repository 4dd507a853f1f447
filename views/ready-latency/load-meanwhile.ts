import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { boundsOf } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { standingSql, type Standing } from '../../shared/why-late/index.ts';
import chosenSql from './chosen.sql';
import { meanwhileOfColumns } from './columns-chosen-wait.ts';
import detailsSql from './details.sql';
import { loadRecorded, type RecordedFacts } from './load-recorded.ts';
import { loadVerdict } from './load-verdict.ts';
import { describeMeanwhile, type RanSum } from './meanwhile.ts';
import {
  LANE_STEPS,
  partInSight,
  type ChosenWait,
  type Meanwhile,
  type MeanwhileSpan,
  type ReadyWait,
} from './model.ts';
import ranLanesSql from './ran-lanes.sql';
import ranSumsSql from './ran-sums.sql';
import { readWait } from './read-row.ts';

/** About how many short runs are looked at for the lanes. */
const SAMPLE_RUNS = 250_000;

/** What ran during a wait; null where the trace has no such wait. Its runs are those in `range`, if that shows a part of it. */
export async function loadMeanwhile(
  query: Query,
  chosen: ChosenWait,
  range: TimeRange,
): Promise<Meanwhile | null> {
  const recorded = await loadRecorded(query, {
    ...boundsOf(range),
  });
  return (dataOf(query).hasColumns ? meanwhileOfColumns : meanwhileOfSql)(query, chosen, range, recorded);
}

async function meanwhileOfSql(
  query: Query,
  { wait_ts, wait_tid }: ChosenWait,
  range: TimeRange,
  recorded: RecordedFacts,
): Promise<Meanwhile | null> {
  const [row] = (await query(`${chosenSql}${detailsSql}`, { wait_ts, wait_tid, max_rows: 1 })).rows();
  if (row === undefined) return null;
  const waited = readWait(row, null);
  const standing = { wait_rank: waited.rank, wait_priority: waited.priority };
  const sums = await query(`${standingSql}${ranSumsSql}`, {
    ...standing,
    span_start: waited.ts,
    span_end: waited.ts + waited.dur,
  });
  const ran = [...sums.rows()].map(readSum);
  const runs = ran.reduce((total, { runs }) => total + runs, 0);
  const verdict = await loadVerdict(query, row, waited, recorded, runs);
  const wait: ReadyWait = { ...waited, why_late: verdict.main };
  const seen = partInSight(wait, range);
  const spans = await query(`${standingSql}${ranLanesSql}`, {
    ...standing,
    span_start: seen.start,
    span_end: seen.end,
    step_ns: Math.max(1, Math.ceil((seen.end - seen.start) / LANE_STEPS)),
    every: Math.max(1, Math.ceil(runs / SAMPLE_RUNS)),
  });
  return describeMeanwhile(wait, recorded.cpu_count, ran, [...spans.rows()].map(readSpan), verdict);
}

function readSum(row: Row): RanSum {
  return {
    utid: Number(row.utid),
    tid: toNumber(row.tid),
    thread: toText(row.thread),
    pid: toNumber(row.pid),
    process: toText(row.process),
    rank: toNumber(row.rank),
    priority: toNumber(row.priority),
    standing: row.standing as Standing,
    ran_ns: Number(row.ran_ns),
    runs: Number(row.runs),
  };
}

function readSpan(row: Row): MeanwhileSpan {
  const standing = row.standing as Standing;
  const thread =
    standing === 'idle' ? 'idle' : threadLabel({ process: toText(row.process), tid: toNumber(row.tid) });
  return {
    cpu: Number(row.cpu),
    ts: Number(row.ts),
    dur: Number(row.dur),
    ran_ns: Number(row.ran_ns),
    standing,
    thread: row.single === 1 ? thread : null,
    rank: toNumber(row.rank),
    priority: toNumber(row.priority),
  };
}
