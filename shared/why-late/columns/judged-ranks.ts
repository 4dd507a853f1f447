import { oncePerTrace, type Query } from '../../engine/index.ts';
import { dataOf } from '../../tables/index.ts';
import { judgeRanks, type JudgedRank } from './judge-ranks.ts';

/** The waits whose rank was judged. */
export interface JudgedRanks {
  /** The judgement on a thread's wait that began at a time; undefined where there is none. */
  of(utid: number, ts: number): JudgedRank | undefined;
  /** The judgements on a thread's waits by their beginnings; undefined where there are none. */
  ofThread(utid: number): ReadonlyMap<number, JudgedRank> | undefined;
}

/** No wait has a judged rank. */
export const NONE_JUDGED: JudgedRanks = { of: () => undefined, ofThread: () => undefined };

/** Judges ranks of a trace; once. By SQL its tables have judged ranks already: then none is judged here. */
export const loadJudgedRanks = oncePerTrace(async (query: Query): Promise<JudgedRanks> => {
  const data = dataOf(query);
  if (!data.hasColumns) return NONE_JUDGED;
  const ofThread = new Map<number, Map<number, JudgedRank>>();
  for (const judged of await judgeRanks(data)) {
    const waits = ofThread.get(judged.utid) ?? new Map<number, JudgedRank>();
    ofThread.set(judged.utid, waits.set(judged.ts, judged));
  }
  if (ofThread.size === 0) return NONE_JUDGED;
  return { of: (utid, ts) => ofThread.get(utid)?.get(ts), ofThread: (utid) => ofThread.get(utid) };
});
