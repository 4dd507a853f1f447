import { toNumber, toText, type Bindings, type Query, type Row } from '../../shared/engine/index.ts';
import { formatCount } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { standingSql, WHY_LABELS, type MainWhy, type Standing } from '../../shared/why-late/index.ts';
import { histogramBars } from '../kit/duration-bins.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { meanwhileOfColumns } from './columns-chosen-wait.ts';
import { countWaitsOfColumns } from './columns-count-waits.ts';
import { longestOfColumns, mostLooked } from './columns-longest-waits.ts';
import chosenSql from './chosen.sql';
import detailsSql from './details.sql';
import { filterBins } from './filter-bins.ts';
import { countListed, pickLongest } from './load-longest.ts';
import { JUDGED_WAITS, judgeList, notePending, shownWaits } from './judge-list.ts';
import { loadRecorded, type RecordedFacts } from './load-recorded.ts';
import { loadVerdict } from './load-verdict.ts';
import { describeMeanwhile, type RanSum } from './meanwhile.ts';
import type { GroupBy, Meanwhile, MeanwhileSpan, ReadyLatencyModel, ReadyWait } from './model.ts';
import { LANE_STEPS, partInSight, threadLabel } from './model.ts';
import { whyOf, type ReadyLatencyParams } from './params.ts';
import ranLanesSql from './ran-lanes.sql';
import ranSumsSql from './ran-sums.sql';
import { readWait } from './read-row.ts';
import { lengthOfLongest, mergeBins, splitByWhy, summarise, summariseGroups } from './summarise.ts';
import { countWaits } from './wait-bins.ts';

/** About how many short runs are looked at for the lanes. */
const SAMPLE_RUNS = 250_000;

/** Asks for all that the view shows of `range`. */
export async function loadReadyLatency(
  query: Query,
  params: ReadyLatencyParams,
  range: TimeRange,
): Promise<ReadyLatencyModel> {
  const bounds = { range_start: Math.floor(range.start), range_end: Math.ceil(range.end) };
  const filter: Bindings = {
    ...bounds,
    process: params.process === '' ? null : params.process,
    thread: params.thread === '' ? null : params.thread,
    rank: params.rank,
    priority: params.priority,
    cause: params.cause,
    ranked_only: Number(params.ranked_only),
  };
  const at_least_ns = Math.round((params.at_least_ms ?? 0) * 1e6);
  const limit = Math.round(params.limit ?? 500);
  const why = whyOf(params);
  const wait_reason = params.wait_reason === '' ? null : params.wait_reason;
  const { hasColumns } = dataOf(query);
  const recorded = await loadRecorded(query, bounds);
  const { cpu_count, start_ts, end_ts } = recorded;
  const isWhole = bounds.range_start <= start_ts && bounds.range_end >= end_ts;
  const counted = hasColumns
    ? await countWaitsOfColumns(query, bounds)
    : await countWaits(query, bounds, isWhole);
  const rows = filterBins(counted, params);
  const rising = mergeBins(counted.bins, rows);
  const max_rows = why === null ? limit : Math.max(limit, JUDGED_WAITS);
  const longest = hasColumns
    ? await longestOfColumns(query, params, bounds, {
        at_least_ns,
        shortest_ns: lengthOfLongest(rising, mostLooked(max_rows, wait_reason)),
        max_rows,
      })
    : null;
  const picked =
    longest?.rows ??
    (await pickLongest(query, filter, counted, rows, rising, { at_least_ns, max_rows, wait_reason }));
  const { waits: listed, pending } = await judgeList(query, picked, cpu_count, why);
  const group_by = params.group_by as GroupBy;
  const meanwhile = await (hasColumns ? meanwhileOfColumns : loadMeanwhile)(query, params, range, recorded);
  const waits = shownWaits(listed, limit, meanwhile?.wait);
  const among = picked.slice(0, JUDGED_WAITS);
  const words = onlyWords(wait_reason, why, among.length);
  const model = {
    origin_ns: start_ts,
    unrecorded: recorded.unrecorded,
    notes: recorded.notes,
    total: summarise(counted.bins, rows),
    one_in: counted.one_in,
    group_by,
    groups: summariseGroups(counted, rows, group_by),
    histogram: histogramBars(rising),
    listed:
      why === null && wait_reason === null
        ? (longest?.passing ?? (await countListed(query, filter, rising, at_least_ns)))
        : listed.length,
    only:
      why === null || pending.length === 0
        ? words
        : `${words ?? ''}, ${formatCount(pending.length)} yet to be judged`,
    waits,
    by_why: pending.length > 0 ? [] : splitByWhy(waits),
    meanwhile,
  };
  const only = why === null ? null : { why, among, limit, words };
  notePending(model, { asked: query, rows: pending, cpuCount: cpu_count, only });
  return model;
}

/** Which waits are listed, in words, where it is not all that pass the filters. */
function onlyWords(wait_reason: string | null, why: MainWhy | null, judged: number): string | null {
  const before = wait_reason === null ? [] : [`of the 10,000 longest those after ${wait_reason}`];
  const late =
    why === null
      ? []
      : [`of the ${formatCount(judged)} longest those with the main reason ${WHY_LABELS[why]}`];
  return before.length + late.length === 0 ? null : [...before, ...late].join(', and ');
}

async function loadMeanwhile(
  query: Query,
  { wait_ts, wait_tid }: ReadyLatencyParams,
  range: TimeRange,
  recorded: RecordedFacts,
): Promise<Meanwhile | null> {
  if (wait_ts === null || wait_tid === null) return null;
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
  const thread = standing === 'idle' ? 'idle' : threadLabel(toText(row.process), toNumber(row.tid));
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
