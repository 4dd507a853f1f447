/** How a run stands to a thread that waited meanwhile; the words of `standing.sql`. */
export type Standing = 'better_rank' | 'priority' | 'behind' | 'unknown' | 'idle';
