import type { Query, QueryResult } from '../../shared/engine/index.ts';
import type { Buckets } from '../kit/index.ts';
import endsSql from './ends.sql';
import runsSql from './runs.sql';
import stepsSql from './steps.sql';
import type { RanColumns } from './sum-groups.ts';

/** Part of `_etw_cpu_sum.key` that is not the step: beyond 32 bits, so that shifts will not do. */
const STEP = 2 ** 38;

/** What was asked for last, by trace: another grouping or filter needs no more of the engine. */
const kept = new WeakMap<Query, { readonly key: string; readonly ran: RanColumns }>();

/** CPU time in buckets by thread, priority and rank. Steps are counted from `origin_ns`. */
export async function loadRan(
  query: Query,
  buckets: Buckets,
  origin_ns: number,
  step_ns: number | null,
): Promise<RanColumns> {
  const key = buckets.edges.join(' ');
  const before = kept.get(query);
  if (before?.key === key) return before.ran;
  const ran = await askFor(query, buckets, origin_ns, step_ns);
  kept.set(query, { key, ran });
  return ran;
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
    return columnsOf(await query(runsSql, { range_start, range_end, bucket_ns: second - range_start }));
  }
  const bounds = { range_start, range_end, steps_start: steps.start, steps_end: steps.end };
  const [first_step, after_step] = [(steps.start - origin_ns) / step_ns, (steps.end - origin_ns) / step_ns];
  const inSteps = unpack(await query(stepsSql, { first_step, after_step }), origin_ns, step_ns);
  return join(inSteps, columnsOf(await query(endsSql, bounds)));
}

function columnsOf(rows: QueryResult): RanColumns {
  const [ts, utid, priority] = [rows.numbers('ts'), rows.numbers('utid'), rows.numbers('priority')];
  return { ts, utid, priority, rank: rows.numbers('rank'), ran_ns: rows.numbers('ran_ns') };
}

function unpack(rows: QueryResult, origin_ns: number, step_ns: number): RanColumns {
  const key = rows.numbers('key');
  const [ts, utid, priority, rank] = [0, 0, 0, 0].map(() => new Float64Array(key.length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let row = 0; row < key.length; row++) {
    const packed = key[row] ?? 0;
    const step = Math.floor(packed / STEP);
    const rest = packed - step * STEP;
    const low = rest % 2 ** 14;
    ts[row] = origin_ns + step * step_ns;
    utid[row] = (rest - low) / 2 ** 14;
    rank[row] = low >> 6 === 255 ? NaN : low >> 6;
    priority[row] = low & 63;
  }
  return { ts, utid, priority, rank, ran_ns: rows.numbers('ran_ns') };
}

function join(a: RanColumns, b: RanColumns): RanColumns {
  const both = (x: Float64Array, y: Float64Array) => {
    const joined = new Float64Array(x.length + y.length);
    joined.set(x);
    joined.set(y, x.length);
    return joined;
  };
  return {
    ts: both(a.ts, b.ts),
    utid: both(a.utid, b.utid),
    priority: both(a.priority, b.priority),
    rank: both(a.rank, b.rank),
    ran_ns: both(a.ran_ns, b.ran_ns),
  };
}
