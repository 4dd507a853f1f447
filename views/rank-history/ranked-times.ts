import { aroundSteps } from '../../shared/cpu-sum/around-steps.ts';
import { visitRan } from '../../shared/cpu-sum/visit-ran.ts';
import { keepLast, type Query } from '../../shared/engine/index.ts';
import {
  ALL_WAITS,
  countWaits,
  RANK_0_CODE,
  rankCodeOf,
  readWaits,
  type CountedWaits,
  type WaitKeys,
  type WhichWaits,
} from '../../shared/ready-waits/index.ts';
import {
  allLongFrom,
  coversTrace,
  dataOf,
  readTraceFacts,
  type Batch,
  type Bounds,
  type KeySet,
  type NumberValues,
  type Stretch,
  type Tables,
  type TraceFacts,
} from '../../shared/tables/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../../shared/why-late/columns/index.ts';
import { loadEverRanked } from './ranked-threads.ts';

/** A ready wait that is long enough to be drawn. */
export interface DrawnWait {
  readonly utid: number;
  readonly ts: number;
  readonly dur: number;
  readonly rank: number;
}

/** What threads did in a range at a rank above 0, by their keys. What is not there is 0. */
export interface RankedTimes {
  /** CPU time in the range. */
  readonly ran_ns: readonly (number | undefined)[];
  /** Ready time in the range. */
  readonly ready_ns: readonly (number | undefined)[];
  /** The longest ready wait. A part of it may lie outside the range. */
  readonly longest_ready_ns: readonly (number | undefined)[];
  readonly drawn: readonly DrawnWait[];
}

const keep = keepLast<RankedTimes>();

const WAIT_COLUMNS = {
  waits: ['ts', 'te', 'utid', 'rank'],
  counts: ['utid', 'rank', 'sum_ns', 'max_ns'],
} as const;
/** No stretch lies in it. */
const NONE: Stretch = { start: Infinity, end: -Infinity };

/** What all threads did at a rank above 0; kept of the last range. Ready waits shorter than `shortest_ns` are not drawn. */
export function loadRankedTimes(query: Query, bounds: Bounds, shortest_ns: number): Promise<RankedTimes> {
  return keep(query, `${bounds.range_start} ${bounds.range_end} ${shortest_ns}`, async () => {
    const facts = await readTraceFacts(dataOf(query).tables);
    const waits = await sumWaits(query, bounds, facts, shortest_ns);
    return { ran_ns: await sumRan(dataOf(query).tables, bounds), ...waits };
  });
}

/** Sums ready waits. Those of a trace, or of a stretch of it, are counted already: the few that are drawn are read alone. */
async function sumWaits(
  query: Query,
  bounds: Bounds,
  facts: TraceFacts | null,
  shortest_ns: number,
): Promise<Omit<RankedTimes, 'ran_ns'>> {
  const data = dataOf(query);
  const { tables } = data;
  const { range_start: start, range_end: end } = bounds;
  const longest_counted_ns = data.hasColumns ? await allLongFrom(tables) : Infinity;
  const drawnAreLong = shortest_ns > longest_counted_ns;
  const waits = new RankedWaits(shortest_ns, await loadEverRanked(tables), await loadJudgedRanks(query));
  const isWhole = facts !== null && coversTrace(bounds, facts);
  if (drawnAreLong && isWhole) {
    for await (const batch of tables.batches('etw_ready_wait_long', WAIT_COLUMNS.waits))
      waits.add(batch, ALL_WAITS, ALL_WAITS);
    return { ...sumCounted(await countWaits(query, bounds, true)), drawn: waits.drawn };
  }
  const range = isWhole ? ALL_WAITS : { start, end };
  // What is counted lies in the range with all its length.
  const counted = drawnAreLong ? { start: start + longest_counted_ns, end } : NONE;
  // Few of the rows are of ranked threads: to keep them all would let go of what others read.
  const read = await readWaits(data, range, WAIT_COLUMNS, { counted, how: 'once' });
  for (const some of read.waits) for await (const batch of some.read()) waits.add(batch, some.which, range);
  for (const batch of read.counts) waits.addCounts(batch);
  return waits;
}

async function sumRan(tables: Tables, { range_start: start, range_end: end }: Bounds): Promise<number[]> {
  const ran: number[] = [];
  await visitRan(tables, await aroundSteps(tables, { start, end }), (_, utid, __, rank, ran_ns) => {
    if (rank > 0) ran[utid] = (ran[utid] ?? 0) + ran_ns;
  });
  return ran;
}

function sumCounted({ rows, counts }: CountedWaits): Pick<RankedTimes, 'ready_ns' | 'longest_ready_ns'> {
  const [ready_ns, longest_ready_ns]: [number[], number[]] = [[], []];
  const add = ({ utid, key }: WaitKeys, sum_ns: Float64Array, max_ns: Float64Array): void => {
    for (let row = 0; row < key.length; row++) {
      if (rankCodeOf(key[row] ?? 0) <= RANK_0_CODE) continue;
      const thread = utid[row] ?? 0;
      ready_ns[thread] = (ready_ns[thread] ?? 0) + (sum_ns[row] ?? 0);
      longest_ready_ns[thread] = Math.max(longest_ready_ns[thread] ?? 0, max_ns[row] ?? 0);
    }
  };
  for (const waits of rows) add(waits, waits.dur_ns, waits.dur_ns);
  add(counts, counts.sum_ns, counts.max_ns);
  return { ready_ns, longest_ready_ns };
}

/** Sums of ready waits at a rank above 0. */
class RankedWaits {
  readonly ready_ns: number[] = [];
  readonly longest_ready_ns: number[] = [];
  readonly drawn: DrawnWait[] = [];
  readonly #shortest_ns: number;
  readonly #ranked: KeySet;
  readonly #judged: JudgedRanks;

  constructor(shortest_ns: number, ranked: KeySet, judged: JudgedRanks) {
    [this.#shortest_ns, this.#ranked, this.#judged] = [shortest_ns, ranked, judged];
  }

  /** Adds some of the waits of a batch, each as far as it lies in a range. */
  add(
    { rowCount, columns: { ts, te, utid, rank } }: Batch<(typeof WAIT_COLUMNS.waits)[number]>,
    { start, end, leftOut: { after_ts, until_ts } }: WhichWaits,
    range: Stretch,
  ): void {
    for (const row of rowsOf(this.#ranked, utid.values, rowCount)) {
      const begin = ts.values[row] ?? 0;
      const until = te.values[row] ?? 0;
      if (begin >= end || until <= start || (until > after_ts && until <= until_ts)) continue;
      const thread = utid.values[row] ?? 0;
      const recorded = rank.present?.[row] === 0 ? 0 : (rank.values[row] ?? 0);
      const own = this.#judged.of(thread, begin)?.rank ?? recorded;
      if (own === 0) continue;
      const dur = until - begin;
      this.#sum(thread, Math.min(until, range.end) - Math.max(begin, range.start), dur);
      if (dur >= this.#shortest_ns) this.drawn.push({ utid: thread, ts: begin, dur, rank: own });
    }
  }

  /** Adds waits that were counted. */
  addCounts({
    rowCount,
    columns: { utid, rank, sum_ns, max_ns },
  }: Batch<(typeof WAIT_COLUMNS.counts)[number]>): void {
    for (const row of rowsOf(this.#ranked, utid.values, rowCount)) {
      if (rank.present?.[row] === 0 || (rank.values[row] ?? 0) === 0) continue;
      this.#sum(utid.values[row] ?? 0, sum_ns.values[row] ?? 0, max_ns.values[row] ?? 0);
    }
  }

  #sum(utid: number, ready_ns: number, longest_ns: number): void {
    this.ready_ns[utid] = (this.ready_ns[utid] ?? 0) + ready_ns;
    this.longest_ready_ns[utid] = Math.max(this.longest_ready_ns[utid] ?? 0, longest_ns);
  }
}

/** The rows of some threads. They are found by themselves: few of millions are looked at further. */
function rowsOf(threads: KeySet, utids: NumberValues, rowCount: number): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < rowCount; row++) if (threads.has(utids[row] ?? 0)) rows.push(row);
  return rows;
}
