import { oncePerTrace, type Query } from '../../engine/index.ts';
import { dataOf } from '../../tables/index.ts';
import { judgeRanks, type JudgedRank } from './judge-ranks.ts';

/** The waits whose rank was judged. */
export interface JudgedRanks {
  /** The judgement on a thread's wait that began at a time; undefined where there is none. */
  of(utid: number, ts: number): JudgedRank | undefined;
}

/** Judges ranks of a trace; once. */
export const loadJudgedRanks = oncePerTrace(async (query: Query): Promise<JudgedRanks> => {
  const ofThread = new Map<number, Map<number, JudgedRank>>();
  for (const judged of await judgeRanks(dataOf(query))) {
    const waits = ofThread.get(judged.utid) ?? new Map<number, JudgedRank>();
    ofThread.set(judged.utid, waits.set(judged.ts, judged));
  }
  return { of: (utid, ts) => (ofThread.size === 0 ? undefined : ofThread.get(utid)?.get(ts)) };
});
