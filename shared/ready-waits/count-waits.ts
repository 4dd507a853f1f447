import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Batch, type Bounds, type Tables } from '../tables/index.ts';
import { loadThreadNames } from '../threads/index.ts';
import { loadJudgedRanks } from '../why-late/columns/index.ts';
import { ProcessCodes } from './process-codes.ts';
import type { CountedWaits, WaitBins } from './wait-bins.ts';
import { waitKey } from './wait-key.ts';
import { codeAt, preemptionOf, rowsByProcess, WAIT_ROW_COLUMNS } from './wait-rows.ts';

const keep = keepLast<CountedWaits>();

/** All waits in the range. Of the whole trace those that are alike in thread, rank, priority, cause and length are counted together. */
export function countWaits(
  query: Query,
  { range_start: start, range_end: end }: Bounds,
  isWhole: boolean,
): Promise<CountedWaits> {
  return keep(query, isWhole ? 'whole' : `${start} ${end}`, async () => {
    const { tables } = dataOf(query);
    const [rest, names, judged] = await Promise.all([
      isWhole ? readRest(tables) : [],
      loadThreadNames(tables),
      loadJudgedRanks(query),
    ]);
    const [table, within] = isWhole
      ? (['etw_ready_wait_long', { start: -Infinity, end: Infinity }] as const)
      : (['etw_ready_wait', { start, end }] as const);
    const batches = tables.batches(table, WAIT_ROW_COLUMNS, within);
    const listed = await rowsByProcess(batches, within, judged, new ProcessCodes(names));
    return { bins: isWhole ? joined(rest, listed) : listed, names };
  });
}

const REST_COLUMNS = ['utid', 'rank', 'priority', 'cause', 'bin', 'waits', 'sum_ns', 'max_ns'] as const;
type Rest = Batch<(typeof REST_COLUMNS)[number]>;

/** The waits of the whole trace that were counted when it was converted: their ranks are not judged. */
async function readRest(tables: Tables): Promise<readonly Rest[]> {
  const rest: Rest[] = [];
  for await (const batch of tables.batches('etw_ready_wait_rest', REST_COLUMNS, undefined, 'once'))
    rest.push(batch);
  return rest;
}

/** All that is counted. Waits that are alike may be in two rows: one of those from the conversion, and one of the longest. */
function joined(rest: readonly Rest[], long: WaitBins): WaitBins {
  const size = rest.reduce((rows, { rowCount }) => rows + rowCount, long.utid.length);
  const bins: WaitBins = {
    ...{ utid: new Uint32Array(size), key: new Uint32Array(size), count: new Uint32Array(size) },
    ...{ sum_ns: new Float64Array(size), max_ns: new Float64Array(size) },
  };
  let from = 0;
  for (const { rowCount, columns } of rest) {
    bins.utid.set(columns.utid.values, from);
    bins.count.set(columns.waits.values, from);
    bins.sum_ns.set(columns.sum_ns.values, from);
    bins.max_ns.set(columns.max_ns.values, from);
    const { rank, priority, cause, bin } = columns;
    const preemption = preemptionOf(cause);
    for (let row = 0; row < rowCount; row++) {
      const preempted = Number(cause.values[row] === preemption);
      bins.key[from + row] = waitKey(
        codeAt(rank, row),
        codeAt(priority, row),
        preempted,
        bin.values[row] ?? 0,
      );
    }
    from += rowCount;
  }
  bins.utid.set(long.utid, from);
  bins.key.set(long.key, from);
  bins.count.set(long.count, from);
  bins.sum_ns.set(long.sum_ns, from);
  bins.max_ns.set(long.max_ns, from);
  return bins;
}
