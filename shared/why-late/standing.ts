/** How a run stands to a thread that waited meanwhile; the words of `standing.sql`. */
export type Standing = 'better_rank' | 'priority' | 'behind' | 'unknown' | 'idle';

/** How a run stands to a thread that waits; `standing.sql` has the same for many at once. */
export function standingOf(
  utid: number,
  rank: number | null,
  priority: number,
  waitRank: number | null,
  waitPriority: number | null,
): Standing {
  if (utid === 0) return 'idle';
  if (rank !== null && waitRank !== null && rank > waitRank) return 'behind';
  if (waitPriority !== null && priority >= waitPriority) return 'priority';
  if (rank === null || waitRank === null) return 'unknown';
  return rank < waitRank ? 'better_rank' : 'behind';
}
