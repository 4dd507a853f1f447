import type { Query, QueryResult } from '../../shared/engine/index.ts';
import type { Buckets } from '../kit/index.ts';
import type { SwitchCounts } from './counts.ts';
import cpusSql from './cpus.sql';
import type { Grouping } from './params.ts';
import seriesSql from './series.sql';
import type { CountedGroup } from './sum-groups.ts';
import threadsSql from './threads.sql';

/** Counts the context switches of a range by SQL. Steps of `step_ns` are counted from `origin_ns`. */
export async function countBySql(
  query: Query,
  { edges, steps }: Buckets,
  origin_ns: number,
  step_ns: number | null,
): Promise<SwitchCounts> {
  const [range_start = 0, second = 0] = edges;
  const range_end = edges.at(-1) ?? 0;
  // Without whole steps all is counted from runs, as what is before the first of them.
  const { start: steps_start, end: steps_end } = steps ?? { start: range_end, end: range_end };
  const bounds = { range_start, steps_start, steps_end, range_end };
  const buckets = { ...bounds, bucket_ns: second - range_start };
  const byStep = {
    first_step: steps === null || step_ns === null ? 0 : (steps_start - origin_ns) / step_ns,
    after_step: steps === null || step_ns === null ? 0 : (steps_end - origin_ns) / step_ns,
  };
  const bucketOf = new Map(edges.slice(0, -1).map((edge, index) => [edge, index]));
  const cpus = await query(cpusSql, buckets);
  const onCpus = new Map<number, Float64Array>();
  for (const cpu of cpus.numbers('cpu')) onCpus.set(cpu, new Float64Array(bucketOf.size));
  addTo((cpu) => onCpus.get(cpu), cpus, bucketOf, 'cpu', 'switches');
  const to_idle = new Float64Array(bucketOf.size);
  addTo(() => to_idle, cpus, bucketOf, 'cpu', 'to_idle');
  return {
    onCpus,
    to_idle,
    async threads() {
      const rows = await query(threadsSql, { ...bounds, ...byStep });
      const [switches, ran_ns] = [rows.numbers('switches'), rows.numbers('ran_ns')];
      return Array.from(rows.numbers('utid'), (id, row) => ({
        id,
        switches: switches[row] ?? 0,
        ran_ns: ran_ns[row] ?? 0,
      }));
    },
    async linesOf(groups, by) {
      const rows = await query(seriesSql, {
        ...{ ...buckets, ...byStep, origin_ns, step_ns: step_ns ?? 1 },
        ...threadsOf(groups, by),
      });
      const lines = new Map(groups.map(({ key }) => [key, new Float64Array(bucketOf.size)]));
      addTo((key) => lines.get(key), rows, bucketOf, 'id', 'switches');
      return [...lines.values()];
    },
  };
}

/** The threads of groups, as JSON for the engine: those of a known process by its upid alone, since it can have a million. */
function threadsOf(groups: readonly CountedGroup[], by: Grouping) {
  const isProcess = ({ key }: CountedGroup) => by === 'process' && key >= 0;
  const listed = groups.filter((group) => !isProcess(group));
  return {
    upids: JSON.stringify(groups.filter(isProcess).map(({ key }) => key)),
    threads: JSON.stringify(listed.flatMap(({ key, ids }) => ids.map((id) => [id, key]))),
  };
}

/** Adds a column of rows to sums by bucket, each to those of its id. */
function addTo(
  sumsOf: (id: number) => Float64Array | undefined,
  rows: QueryResult,
  bucketOf: ReadonlyMap<number, number>,
  idColumn: string,
  column: string,
): void {
  const [ids, counts] = [rows.numbers(idColumn), rows.numbers(column)];
  rows.numbers('ts').forEach((ts, row) => {
    const [bucket, sums] = [bucketOf.get(ts), sumsOf(ids[row] ?? -1)];
    if (bucket !== undefined && sums !== undefined) sums[bucket] = (sums[bucket] ?? 0) + (counts[row] ?? 0);
  });
}
