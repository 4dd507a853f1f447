import { loadCpuSteps } from '../../shared/cpu-sum/load-step.ts';
import { visitRan } from '../../shared/cpu-sum/visit-ran.ts';
import { keepLast, type Query } from '../../shared/engine/index.ts';
import {
  countWaits,
  RANK_0_CODE,
  rankCodeOf,
  type CountedWaits,
  type WaitKeys,
} from '../../shared/ready-waits/index.ts';
import {
  coversTrace,
  dataOf,
  readTraceFacts,
  tableOfLong,
  type Batch,
  type Bounds,
  type Tables,
  type TraceFacts,
} from '../../shared/tables/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../../shared/why-late/columns/index.ts';
import { cutIntoBuckets } from '../kit/index.ts';

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

/** What all threads did at a rank above 0; kept of the last range. Ready waits shorter than `shortest_ns` are not drawn. */
export function loadRankedTimes(query: Query, bounds: Bounds, shortest_ns: number): Promise<RankedTimes> {
  return keep(query, `${bounds.range_start} ${bounds.range_end} ${shortest_ns}`, async () => {
    const facts = await readTraceFacts(dataOf(query).tables);
    const waits = await sumWaits(query, bounds, facts, shortest_ns);
    return { ran_ns: await sumRan(dataOf(query).tables, bounds, facts), ...waits };
  });
}

/** Sums ready waits. Of the whole trace they are counted already: the few that are drawn are read alone. */
async function sumWaits(
  query: Query,
  bounds: Bounds,
  facts: TraceFacts | null,
  shortest_ns: number,
): Promise<Omit<RankedTimes, 'ran_ns'>> {
  const data = dataOf(query);
  const { range_start: start, range_end: end } = bounds;
  const isWhole = facts !== null && coversTrace(bounds, facts);
  const long = await tableOfLong(data, shortest_ns);
  const isCounted = isWhole && long === 'etw_ready_wait_long';
  const within = isWhole ? { range_start: -Infinity, range_end: Infinity } : bounds;
  const waits = new RankedWaits(within, shortest_ns, await loadJudgedRanks(query));
  const table = isCounted ? long : 'etw_ready_wait';
  for await (const batch of data.tables.batches(table, WAIT_COLUMNS, { start, end })) waits.add(batch);
  const { drawn } = waits;
  const { ready_ns, longest_ready_ns } = isCounted
    ? sumCounted(await countWaits(query, bounds, true))
    : waits;
  return { ready_ns, longest_ready_ns, drawn };
}

async function sumRan(
  tables: Tables,
  { range_start: start, range_end: end }: Bounds,
  facts: TraceFacts | null,
): Promise<number[]> {
  const { step_ns } = await loadCpuSteps(tables);
  const buckets = cutIntoBuckets({ start, end }, facts?.start_ts ?? start, step_ns);
  const ran: number[] = [];
  await visitRan(tables, buckets, (_, utid, __, rank, ran_ns) => {
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
  add(rows, rows.dur_ns, rows.dur_ns);
  add(counts, counts.sum_ns, counts.max_ns);
  return { ready_ns, longest_ready_ns };
}

const WAIT_COLUMNS = ['ts', 'te', 'utid', 'rank'] as const;

/** Sums of ready waits at a rank above 0. */
class RankedWaits {
  readonly ready_ns: number[] = [];
  readonly longest_ready_ns: number[] = [];
  readonly drawn: DrawnWait[] = [];
  readonly #start: number;
  readonly #end: number;
  readonly #shortest_ns: number;
  readonly #judged: JudgedRanks;

  constructor({ range_start, range_end }: Bounds, shortest_ns: number, judged: JudgedRanks) {
    [this.#start, this.#end] = [range_start, range_end];
    [this.#shortest_ns, this.#judged] = [shortest_ns, judged];
  }

  add({ rowCount, columns: { ts, te, utid, rank } }: Batch<(typeof WAIT_COLUMNS)[number]>): void {
    for (let row = 0; row < rowCount; row++) {
      const begin = ts.values[row] ?? 0;
      const end = te.values[row] ?? 0;
      if (begin >= this.#end || end <= this.#start) continue;
      const thread = utid.values[row] ?? 0;
      const recorded = rank.present?.[row] === 0 ? 0 : (rank.values[row] ?? 0);
      this.#addOne(thread, begin, end, this.#judged.of(thread, begin)?.rank ?? recorded);
    }
  }

  #addOne(utid: number, ts: number, te: number, rank: number): void {
    if (rank === 0) return;
    const dur = te - ts;
    const within_ns = Math.min(te, this.#end) - Math.max(ts, this.#start);
    this.ready_ns[utid] = (this.ready_ns[utid] ?? 0) + within_ns;
    this.longest_ready_ns[utid] = Math.max(this.longest_ready_ns[utid] ?? 0, dur);
    if (dur >= this.#shortest_ns) this.drawn.push({ utid, ts, dur, rank });
  }
}
