import { loadCpuSteps } from '../../shared/cpu-sum/load-step.ts';
import { visitRan } from '../../shared/cpu-sum/visit-ran.ts';
import { keepLast, type Query } from '../../shared/engine/index.ts';
import { dataOf, readTraceFacts, type Batch, type Tables } from '../../shared/tables/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../../shared/why-late/columns/index.ts';
import { cutIntoBuckets } from '../kit/index.ts';

/** A range of the trace, in ns. */
export interface Bounds {
  readonly range_start: number;
  readonly range_end: number;
}

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
  /** The longest ready wait, of which a part may lie outside. */
  readonly longest_ready_ns: readonly (number | undefined)[];
  readonly drawn: readonly DrawnWait[];
}

const keep = keepLast<RankedTimes>();

/** What all threads did at a rank above 0; kept of the last range. Ready waits shorter than `shortest_ns` are not drawn. */
export function loadRankedTimes(query: Query, bounds: Bounds, shortest_ns: number): Promise<RankedTimes> {
  return keep(query, `${bounds.range_start} ${bounds.range_end} ${shortest_ns}`, async () => {
    const { tables } = dataOf(query);
    const [ran_ns, judged] = [await sumRan(tables, bounds), await loadJudgedRanks(query)];
    const waits = new RankedWaits(bounds, shortest_ns, judged);
    const stretch = { start: bounds.range_start, end: bounds.range_end };
    for await (const batch of tables.batches('etw_ready_wait', WAIT_COLUMNS, stretch)) waits.add(batch);
    const { ready_ns, longest_ready_ns, drawn } = waits;
    return { ran_ns, ready_ns, longest_ready_ns, drawn };
  });
}

async function sumRan(tables: Tables, { range_start: start, range_end: end }: Bounds): Promise<number[]> {
  const { start_ts = start } = (await readTraceFacts(tables)) ?? {};
  const { step_ns } = await loadCpuSteps(tables);
  const ran: number[] = [];
  await visitRan(tables, cutIntoBuckets({ start, end }, start_ts, step_ns), (_, utid, __, rank, ran_ns) => {
    if (rank > 0) ran[utid] = (ran[utid] ?? 0) + ran_ns;
  });
  return ran;
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
