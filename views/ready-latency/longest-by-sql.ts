import { keepLast, type Bindings, type Query, type Row } from '../../shared/engine/index.ts';
import afterReasonSql from './after-reason.sql';
import detailsSql from './details.sql';
import edgeSql from './edge.sql';
import type { BinRows } from './wait-bins.ts';
import filterSql from './filter.sql';
import longestOfThreadsSql from './longest-of-threads.sql';
import longestSql from './longest.sql';
import { countAbove, lengthOfLongest, type Bin } from './summarise.ts';
import type { CountedWaits, WaitBins } from './wait-bins.ts';

/** The engine tells waits of a length apart in no time, but puts each through the other filters: about 1 µs. */
const MAX_CANDIDATES = 50_000;
/** Looking up a thread's waits costs about as much as so many candidates. */
const CANDIDATES_PER_THREAD = 50;

/** Of so many of the longest waits the reason of the wait before is looked up: some 5 µs each. */
const REASON_WAITS = 10_000;

/** Which of the longest waits are wanted. */
interface Wanted {
  readonly at_least_ns: number;
  readonly max_rows: number;
  /** Part of the reason of the wait before; null for any. */
  readonly wait_reason: string | null;
}

/** What was found last, by trace: another grouping has the same list. */
const keep = keepLast<readonly Row[]>();

/**
 * The longest waits that pass the filters, with details. How long the shortest of them is, is known from the counts; where
 * even so many waits of others are as long, they are looked for thread by thread.
 */
export async function pickLongest(
  query: Query,
  filter: Bindings,
  { bins, one_in }: CountedWaits,
  passing: BinRows,
  rising: readonly Bin[],
  { at_least_ns, max_rows, wait_reason }: Wanted,
): Promise<readonly Row[]> {
  const most = wait_reason === null ? max_rows : Math.max(max_rows, REASON_WAITS);
  const pick = async (shortest_ns: number): Promise<readonly Row[]> => {
    const utids = threadsToSearch(bins, passing, shortest_ns);
    const longest = utids === null ? longestSql : longestOfThreadsSql;
    const bindings = {
      ...filter,
      shortest_ns,
      max_rows,
      longest: most,
      ...(wait_reason !== null && { wait_reason }),
      ...(utids && { utids: JSON.stringify(utids) }),
    };
    const key = JSON.stringify(bindings);
    return keep(query, key, async () => [
      ...(
        await query(
          `${filterSql}${longest}${wait_reason === null ? '' : afterReasonSql}${detailsSql}`,
          bindings,
        )
      ).rows(),
    ]);
  };
  // Where counts are estimates, a length is taken that some more waits have; should it be too long, it is tried again.
  const wanted = one_in === 1 ? most : most * 2;
  const shortest_ns = Math.max(at_least_ns, lengthOfLongest(rising, wanted));
  const found = await pick(shortest_ns);
  const isComplete = wait_reason !== null || found.length >= max_rows || shortest_ns <= at_least_ns;
  return isComplete ? found : pick(at_least_ns);
}

/** The threads whose waits pass, if it is quicker to look at these one by one than at all waits of a length. */
function threadsToSearch(bins: WaitBins, rows: BinRows, shortest_ns: number): readonly number[] | null {
  const bin = Math.floor(Math.log10(Math.max(shortest_ns, 1)) * 100) - 1;
  let candidates = 0;
  for (let row = 0; row < bins.bin.length; row++) {
    if ((bins.bin[row] ?? 0) > bin) candidates += bins.count[row] ?? 0;
  }
  if (candidates <= MAX_CANDIDATES) return null;
  const threads = new Set<number>();
  for (const row of rows) {
    if ((bins.bin[row] ?? 0) > bin) threads.add(bins.utid[row] ?? -1);
  }
  let ofThreads = threads.size * CANDIDATES_PER_THREAD;
  bins.bin.forEach((of, row) => {
    if (of > bin && threads.has(bins.utid[row] ?? -1)) ofThreads += bins.count[row] ?? 0;
  });
  return ofThreads < candidates ? [...threads] : null;
}

/** How many waits that pass the filters are at least so long; about so many where the counts are estimates. */
export async function countListed(
  query: Query,
  filter: Bindings,
  rising: readonly Bin[],
  at_least_ns: number,
): Promise<number> {
  if (at_least_ns <= 0) return countAbove(rising, -1);
  const [edge] = (await query(`${filterSql}${edgeSql}`, { ...filter, at_least_ns })).rows();
  return countAbove(rising, Number(edge?.bin)) + Number(edge?.waits);
}
