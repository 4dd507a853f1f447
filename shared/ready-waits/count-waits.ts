import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Batch, type Bounds, type Tables, type Values } from '../tables/index.ts';
import { loadThreadNames } from '../threads/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../why-late/columns/index.ts';
import { ProcessCodes } from './process-codes.ts';
import type { CountedWaits, WaitBins } from './wait-bins.ts';
import { binOf, waitKey } from './wait-key.ts';
import { rowsByProcess, WaitList } from './wait-list.ts';

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
    const lists = isWhole
      ? await listWaits(tables, 'etw_ready_wait_long', { start: -Infinity, end: Infinity }, judged)
      : await listWaits(tables, 'etw_ready_wait', { start, end }, judged);
    const listed = rowsByProcess(lists, new ProcessCodes(names));
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

/** The waits of a table, a list for each batch. */
async function listWaits(
  tables: Tables,
  table: 'etw_ready_wait' | 'etw_ready_wait_long',
  range: { readonly start: number; readonly end: number },
  judged: JudgedRanks,
): Promise<readonly WaitList[]> {
  const lists: WaitList[] = [];
  const names = ['ts', 'te', 'utid', 'rank', 'priority', 'cause'] as const;
  for await (const { rowCount, columns } of tables.batches(table, names, range)) {
    const { ts, te, utid, rank, priority, cause } = columns;
    const preemption = preemptionOf(cause);
    const list = new WaitList(rowCount);
    lists.push(list);
    for (let row = 0; row < rowCount; row++) {
      const begin = ts.values[row] ?? 0;
      const end = te.values[row] ?? 0;
      if (begin >= range.end || end <= range.start) continue;
      const thread = utid.values[row] ?? 0;
      const judgement = judged.of(thread, begin);
      const rankCode = judgement === undefined ? codeAt(rank, row) : judgement.rank + 1;
      const preempted = Number(cause.values[row] === preemption);
      list.add(thread, waitKey(rankCode, codeAt(priority, row), preempted, binOf(end - begin)), end - begin);
    }
  }
  return lists;
}

/** The number of a cause that says that the thread was preempted; none has -1. */
function preemptionOf(cause: Values): number {
  return cause.texts?.indexOf('preempted') ?? -1;
}

/** A rank or a priority as keys have it: one higher, and 0 for none. */
function codeAt({ present, values }: Values, row: number): number {
  return present?.[row] === 0 ? 0 : (values[row] ?? -1) + 1;
}
