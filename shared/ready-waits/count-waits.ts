import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Batch, type Bounds, type Tables } from '../tables/index.ts';
import { loadThreadNames } from '../threads/index.ts';
import { loadJudgedRanks } from '../why-late/columns/index.ts';
import { type CountedWaits, type WaitBins } from './wait-bins.ts';
import { NO_PRIORITY, NO_RANK, WaitCounts } from './wait-counts.ts';

const keep = keepLast<CountedWaits>();

/** Counts all waits in the range, which may be the whole trace, by thread, rank, priority, cause and duration. */
export function countWaits(
  query: Query,
  { range_start: start, range_end: end }: Bounds,
  isWhole: boolean,
): Promise<CountedWaits> {
  return keep(query, isWhole ? 'whole' : `${start} ${end}`, async () => {
    const { tables } = dataOf(query);
    const [{ counts, doubtful }, rest, names, judged] = await Promise.all([
      isWhole
        ? countSure(tables, 'etw_ready_wait_long', { start: -Infinity, end: Infinity })
        : countSure(tables, 'etw_ready_wait', { start, end }),
      isWhole ? readRest(tables) : [],
      loadThreadNames(tables),
      loadJudgedRanks(query),
    ]);
    for (const { ts, dur, utid, rank, priority, preempted } of doubtful)
      counts.add(utid, judged.of(utid, ts)?.rank ?? rank, priority, preempted, dur);
    return { bins: joined(rest, counts), names };
  });
}

/** A wait before and after which different ranks were recorded. */
interface Doubtful {
  readonly ts: number;
  readonly dur: number;
  readonly utid: number;
  readonly rank: number;
  readonly priority: number;
  readonly preempted: number;
}

interface Counted {
  readonly counts: WaitCounts;
  readonly doubtful: readonly Doubtful[];
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
function joined(rest: readonly Rest[], counts: WaitCounts): WaitBins {
  const size = rest.reduce((rows, { rowCount }) => rows + rowCount, counts.size);
  const numbers = () => new Float64Array(size);
  const bins: WaitBins = {
    ...{ utid: numbers(), rank: numbers(), priority: numbers() },
    ...{ preempted: new Uint8Array(size), bin: new Uint16Array(size) },
    ...{ count: numbers(), sum_ns: numbers(), max_ns: numbers() },
  };
  let from = 0;
  for (const { rowCount, columns } of rest) {
    bins.utid.set(columns.utid.values, from);
    bins.rank.set(columns.rank.values, from);
    bins.priority.set(columns.priority.values, from);
    bins.bin.set(columns.bin.values, from);
    bins.count.set(columns.waits.values, from);
    bins.sum_ns.set(columns.sum_ns.values, from);
    bins.max_ns.set(columns.max_ns.values, from);
    const preemption = columns.cause.texts?.indexOf('preempted') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      bins.preempted[from + row] = Number(columns.cause.values[row] === preemption);
      if (columns.rank.present?.[row] === 0) bins.rank[from + row] = NaN;
      if (columns.priority.present?.[row] === 0) bins.priority[from + row] = NaN;
    }
    from += rowCount;
  }
  counts.fill(bins, from);
  return bins;
}

/** Counts the waits whose rank needs no judgement, and gives the others. */
async function countSure(
  tables: Tables,
  table: 'etw_ready_wait' | 'etw_ready_wait_long',
  range: { readonly start: number; readonly end: number },
): Promise<Counted> {
  const counts = new WaitCounts();
  const doubtful: Doubtful[] = [];
  const names = ['ts', 'te', 'utid', 'rank', 'rank_before', 'rank_after', 'priority', 'cause'] as const;
  for await (const { rowCount, columns } of tables.batches(table, names, range)) {
    const { ts, te, utid, rank, rank_before: before, rank_after: after, priority, cause } = columns;
    const preemption = cause.texts?.indexOf('preempted') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      const begin = ts.values[row] ?? 0;
      const end = te.values[row] ?? 0;
      if (begin >= range.end || end <= range.start) continue;
      const length = end - begin;
      const thread = utid.values[row] ?? 0;
      const recorded = rank.present?.[row] === 0 ? NO_RANK : (rank.values[row] ?? NO_RANK);
      const known = priority.present?.[row] === 0 ? NO_PRIORITY : (priority.values[row] ?? NO_PRIORITY);
      const preempted = Number(cause.values[row] === preemption);
      if (before.values[row] === after.values[row]) counts.add(thread, recorded, known, preempted, length);
      else
        doubtful.push({ ts: begin, dur: length, utid: thread, rank: recorded, priority: known, preempted });
    }
  }
  return { counts, doubtful };
}
