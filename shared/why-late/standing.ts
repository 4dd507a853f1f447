/** How a run stands to a thread that waited meanwhile. */
export type Standing = 'better_rank' | 'priority' | 'behind' | 'unknown' | 'idle';

/** The words, by the numbers of {@link standingNumber}. */
export const STANDINGS: readonly Standing[] = ['better_rank', 'priority', 'behind', 'unknown', 'idle'];
const [BETTER_RANK, PRIORITY, BEHIND, UNKNOWN, IDLE] = [0, 1, 2, 3, 4];

/** In place of a rank or a priority that is not there, for {@link standingNumber}. */
export const NOT_THERE = -1;

/** How a run stands to a thread that waits. */
export function standingOf(
  utid: number,
  rank: number | null,
  priority: number,
  waitRank: number | null,
  waitPriority: number | null,
): Standing {
  const number = standingNumber(
    utid,
    rank ?? NOT_THERE,
    priority,
    waitRank ?? NOT_THERE,
    waitPriority ?? NOT_THERE,
  );
  return STANDINGS[number] ?? 'unknown';
}

/** The same in numbers, for millions of runs and waits. */
export function standingNumber(
  utid: number,
  rank: number,
  priority: number,
  waitRank: number,
  waitPriority: number,
): number {
  if (utid === 0) return IDLE;
  const hasRanks = rank !== NOT_THERE && waitRank !== NOT_THERE;
  if (hasRanks && rank > waitRank) return BEHIND;
  if (waitPriority !== NOT_THERE && priority >= waitPriority) return PRIORITY;
  if (!hasRanks) return UNKNOWN;
  return rank < waitRank ? BETTER_RANK : BEHIND;
}
