import { RANK_NOT_RECORDED, unpackCpuSumKeys } from '../../shared/cpu-sum/index.ts';
import { keepLast, type Query, type QueryResult } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import type { Buckets } from '../kit/index.ts';
import endsSql from './ends.sql';
import { ranOfColumns } from './ran-of-columns.ts';
import runsSql from './runs.sql';
import stepsSql from './steps.sql';
import { rankPriority, type RanColumns } from './sum-groups.ts';

/** What was asked for last, by trace: another grouping or filter needs no more of the engine. */
const keep = keepLast<RanColumns>();

/** CPU time in buckets by thread, priority and rank. Steps are counted from `origin_ns`. */
export function loadRan(
  query: Query,
  buckets: Buckets,
  origin_ns: number,
  step_ns: number | null,
): Promise<RanColumns> {
  const key = buckets.edges.join(' ');
  const { tables, hasColumns } = dataOf(query);
  return keep(query, key, () =>
    hasColumns ? ranOfColumns(tables, buckets) : askFor(query, buckets, origin_ns, step_ns),
  );
}

async function askFor(
  query: Query,
  { edges, steps }: Buckets,
  origin_ns: number,
  step_ns: number | null,
): Promise<RanColumns> {
  const [range_start = 0, second = 0] = edges;
  const range_end = edges.at(-1) ?? 0;
  if (steps === null || step_ns === null) {
    return columnsOf(
      await query(runsSql, { range_start, range_end, bucket_ns: second - range_start }),
      edges,
    );
  }
  const bounds = { range_start, range_end, steps_start: steps.start, steps_end: steps.end };
  const [first_step, after_step] = [(steps.start - origin_ns) / step_ns, (steps.end - origin_ns) / step_ns];
  const steps_at = edges.indexOf(steps.start);
  const inSteps = unpack(await query(stepsSql, { first_step, after_step }), first_step, steps_at);
  return join(inSteps, columnsOf(await query(endsSql, bounds), edges));
}

/** Columns of rows that have their own times: where their buckets start. */
function columnsOf(rows: QueryResult, edges: readonly number[]): RanColumns {
  const [ts, priority, rank] = [rows.numbers('ts'), rows.numbers('priority'), rows.numbers('rank')];
  const bucketOf = new Map(edges.map((edge, index) => [edge, index]));
  return {
    bucket: Uint16Array.from(ts, (at) => bucketOf.get(at) ?? 0),
    utid: Int32Array.from(rows.numbers('utid')),
    rank_priority: Uint16Array.from(rank, (of, row) => rankPriority(of, priority[row] ?? 0)),
    ran_ns: rows.numbers('ran_ns'),
  };
}

/** Columns of rows that have keys of `_etw_cpu_sum`; `first_step` is in the bucket `first_bucket`, and each step has one. */
function unpack(rows: QueryResult, first_step: number, first_bucket: number): RanColumns {
  const { step, utid, rank, priority } = unpackCpuSumKeys(rows.numbers('key'));
  return {
    bucket: Uint16Array.from(step, (number) => first_bucket + number - first_step),
    utid,
    rank_priority: Uint16Array.from(rank, (of, row) =>
      rankPriority(of === RANK_NOT_RECORDED ? NaN : of, priority[row] ?? 0),
    ),
    ran_ns: rows.numbers('ran_ns'),
  };
}

function join(a: RanColumns, b: RanColumns): RanColumns {
  const into = <T extends Uint16Array | Int32Array | Float64Array>(joined: T, x: T, y: T): T => {
    joined.set(x);
    joined.set(y, x.length);
    return joined;
  };
  const length = a.ran_ns.length + b.ran_ns.length;
  return {
    bucket: into(new Uint16Array(length), a.bucket, b.bucket),
    utid: into(new Int32Array(length), a.utid, b.utid),
    rank_priority: into(new Uint16Array(length), a.rank_priority, b.rank_priority),
    ran_ns: into(new Float64Array(length), a.ran_ns, b.ran_ns),
  };
}
