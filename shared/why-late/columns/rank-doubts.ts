import { numberAt, type Batch, type Tables, type TraceFacts } from '../../tables/index.ts';
import { LongestWaits } from './longest-waits.ts';
import { WAIT_COLUMNS, waitAt, type Wait } from './wait.ts';

/** A wait before and after which different ranks were recorded. */
export interface RankDoubt extends Wait {
  readonly rank_before: number;
  readonly rank_after: number;
}

/** How many of these waits are looked at: `etw_ready_wait_long` has as many at least. */
const MOST_DOUBTS = 1000;
const FEWEST_DOUBTS = 20;
/** So many runs in all are looked at for the beginnings of these waits, in 10 ms each. */
const RUNS_OF_DOUBTS = 250_000;
const DENSITY_NS = 10_000_000;

/** How many runs begin in 10 ms, 1 at least: what a look at a trace costs. */
export async function runDensity(
  tables: Tables,
  { start_ts, end_ts }: Pick<TraceFacts, 'start_ts' | 'end_ts'>,
): Promise<number> {
  const runs = await tables.rowCount('etw_run');
  return Math.max(1, Math.floor((runs * DENSITY_NS) / Math.max(1, end_ts - start_ts)));
}

/** The longest waits before and after which different ranks were recorded, as many as `density` lets look at; longest first. */
export async function rankDoubts(tables: Tables, density: number): Promise<RankDoubt[]> {
  const limit = Math.max(FEWEST_DOUBTS, Math.min(MOST_DOUBTS, Math.floor(RUNS_OF_DOUBTS / density)));
  const longest = new LongestWaits<RankDoubt>(limit, 0);
  for await (const batch of tables.batches('etw_ready_wait_long', COLUMNS)) addDoubts(batch, longest);
  return longest.all();
}

const COLUMNS = [...WAIT_COLUMNS, 'rank_before', 'rank_after'] as const;

function addDoubts(
  { rowCount, columns }: Batch<(typeof COLUMNS)[number]>,
  longest: LongestWaits<RankDoubt>,
): void {
  for (let row = 0; row < rowCount; row++) {
    const rank_before = numberAt(columns.rank_before, row);
    const rank_after = numberAt(columns.rank_after, row);
    if (rank_before === null || rank_after === null || rank_before === rank_after) continue;
    const length_ns = (columns.te.values[row] ?? 0) - (columns.ts.values[row] ?? 0);
    if (length_ns < longest.least_ns) continue;
    longest.add({ ...waitAt({ columns }, row), rank: rank_before, rank_before, rank_after });
  }
}
