import { toNumber, type Query, type QueryResult } from '../../shared/engine/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { cutIntoBuckets } from '../kit/index.ts';
import earlySql from './early.sql';
import { ofProcesses } from './load.ts';
import type { SwitchesModel } from './model.ts';
import { groupingOf, params as specs, type SwitchesParams } from './params.ts';
import { sumGroups, type Counted } from './sum-groups.ts';
import { THRESHOLDS } from './thresholds.ts';
import wholeSql from './whole.sql';

/** With fewer context switches in the recording, the tables come soon enough. */
const FEW_SWITCHES = 1_000_000;
/** Context switches looked at, about: those at the start of each bucket. */
const SWITCHES_MAX = 400_000;

/** Estimates the counts of `range` without any table of runs; null where those come soon. */
export async function loadEarly(
  query: Query,
  params: SwitchesParams,
  range: TimeRange,
): Promise<SwitchesModel | null> {
  const [whole] = (await query(wholeSql)).rows();
  const [origin_ns, end_ns] = [toNumber(whole?.start_ts), toNumber(whole?.end_ts)];
  const recorded = toNumber(whole?.context_switches);
  if (origin_ns === null || end_ns === null || recorded === null || recorded <= FEW_SWITCHES) return null;
  const { edges } = cutIntoBuckets(range, origin_ns, null);
  const [range_start = 0, second = 0] = edges;
  const range_end = edges.at(-1) ?? 0;
  const [buckets, bucket_ns, dur_ns] = [edges.length - 1, second - range_start, range_end - range_start];
  const expected = (recorded * dur_ns) / Math.max(1, end_ns - origin_ns);
  const window_ns = Math.max(1, Math.floor(bucket_ns * Math.min(1, SWITCHES_MAX / expected)));
  const one_in = bucket_ns / window_ns;
  const rows = await query(earlySql, { range_start, range_end, bucket_ns, window_ns, buckets });
  const names = await loadThreadNames(query);
  const by = groupingOf(params);
  const ids = Array.from(rows.numbers(by === 'cpu' ? 'cpu' : 'utid'));
  const counts = countsOf(rows, one_in);
  const chosen =
    by === 'cpu'
      ? countBy(ids, counts, false)
      : ofProcesses(countBy(ids, counts, true), names, params.process);
  const { groups, count } = sumGroups(chosen, names, { by, all: sumOf(counts.switches), dur_ns });
  const inBuckets = (isCounted: (row: number) => boolean): number[] => {
    const sums = new Array<number>(buckets).fill(0);
    counts.bucket.forEach((bucket, row) => {
      if (isCounted(row)) sums[bucket] = (sums[bucket] ?? 0) + (counts.switches[row] ?? 0);
    });
    return sums.map(Math.round);
  };
  return {
    origin_ns,
    dur_ns,
    unrecorded: null,
    notes: [],
    by,
    thresholds: THRESHOLDS,
    edges,
    switches: inBuckets(() => true),
    to_idle: inBuckets((row) => counts.utid[row] === 0),
    series: groups.slice(0, params.top ?? specs.top.default).map(({ ids: drawn, group }) => {
      const wanted = new Set(drawn);
      return { label: group.label, switches: inBuckets((row) => wanted.has(ids[row] ?? -1)) };
    }),
    kernel: null,
    groups: groups.map(({ group }) => ({ ...group, switches: Math.round(group.switches) })),
    group_count: count,
    pairs: null,
    one_in,
  };
}

interface Counts {
  readonly bucket: Float64Array;
  readonly utid: Float64Array;
  readonly switches: Float64Array;
  readonly ran_ns: Float64Array;
}

/** The counted rows, each for all that it stands for. */
function countsOf(rows: QueryResult, one_in: number): Counts {
  const estimated = (column: string) => rows.numbers(column).map((count) => count * one_in);
  return {
    bucket: rows.numbers('bucket'),
    utid: rows.numbers('utid'),
    switches: estimated('switches'),
    ran_ns: estimated('ran_ns'),
  };
}

/** Sums by CPU, or by thread: those to the idle thread are of no thread. */
function countBy(
  ids: readonly number[],
  { utid, switches, ran_ns }: Counts,
  areThreads: boolean,
): readonly Counted[] {
  const sums = new Map<number, { switches: number; ran_ns: number }>();
  ids.forEach((id, row) => {
    if (areThreads && utid[row] === 0) return;
    const sum = sums.get(id) ?? { switches: 0, ran_ns: 0 };
    sum.switches += switches[row] ?? 0;
    sum.ran_ns += ran_ns[row] ?? 0;
    sums.set(id, sum);
  });
  return [...sums].map(([id, sum]) => ({
    id,
    switches: sum.switches,
    ran_ns: areThreads ? sum.ran_ns : null,
    samples: 0,
    in_kernel: 0,
  }));
}

function sumOf(numbers: Float64Array): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
