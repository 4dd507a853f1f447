import { rollup } from 'd3';
import { oncePerTrace, type Query } from '../../shared/engine/index.ts';
import {
  dataOf,
  KeySet,
  rankChanges,
  readTraceFacts,
  type Bounds,
  type Tables,
} from '../../shared/tables/index.ts';
import { loadKnownThreads, ownedThread, type OwnedThread } from '../../shared/threads/index.ts';

/** A span in which a thread kept a rank, and what was recorded before. */
export interface KeptRank {
  readonly ts: number;
  readonly dur: number;
  readonly rank: number;
  /** The rank before it, and when that was recorded last; null of the first. */
  readonly last_rank: number | null;
  readonly last_ts: number | null;
}

/** A thread that had a rank above 0. */
export interface RankedThread {
  readonly utid: number;
  readonly about: OwnedThread<number>;
  /** All of the trace. */
  readonly spans: readonly KeptRank[];
  /** In the range. */
  readonly ranked_ns: number;
  readonly highest_rank: number;
}

/** Whether a span reaches into a range. */
export const overlaps = ({ ts, dur }: KeptRank, { range_start, range_end }: Bounds) =>
  ts < range_end && ts + dur > range_start;

/** How much of a span lies in the range, in ns. */
const clipped = ({ ts, dur }: KeptRank, { range_start, range_end }: Bounds) =>
  Math.min(ts + dur, range_end) - Math.max(ts, range_start);

const loadRankChanges = oncePerTrace((tables: Tables) => rankChanges(tables));

/** The threads that ever had a rank above 0. */
export const loadEverRanked = oncePerTrace(
  async (tables: Tables) =>
    new KeySet(new Set((await loadRankChanges(tables)).changes.map(({ utid }) => utid))),
);

/** The threads that had a rank above 0 in a range, longest first; those of processes with `process` in their names. */
export async function rankedThreads(
  query: Query,
  bounds: Bounds,
  process: string | null,
): Promise<readonly RankedThread[]> {
  const { tables } = dataOf(query);
  const { changes, runs_end } = await loadRankChanges(tables);
  const end_ts = Math.max((await readTraceFacts(tables))?.end_ts ?? 0, runs_end);
  const ofThread = rollup(
    changes,
    (own) => own,
    ({ utid }) => utid,
  );
  const threads = await loadKnownThreads(tables);
  const wanted = process?.toLowerCase() ?? '';
  const ranked = [...ofThread].flatMap(([utid, own]) => {
    const { exit_ts, ...about } = threads.of(utid);
    if (wanted !== '' && about.process?.toLowerCase().includes(wanted) !== true) return [];
    const until = exit_ts ?? end_ts;
    const spans = own.map(({ ts, rank, last_rank, last_ts }, index) => ({
      ...{ ts, rank, last_rank, last_ts },
      dur: Math.max(0, (own[index + 1]?.ts ?? until) - ts),
    }));
    const above = spans.filter((span) => span.rank > 0 && overlaps(span, bounds));
    if (above.length === 0) return [];
    const ranked_ns = above.reduce((sum, span) => sum + clipped(span, bounds), 0);
    const highest_rank = Math.max(...above.map(({ rank }) => rank));
    return [{ utid, about: { ...ownedThread(about), tid: about.tid ?? 0 }, spans, ranked_ns, highest_rank }];
  });
  return ranked.sort((a, b) => b.ranked_ns - a.ranked_ns || a.utid - b.utid);
}
