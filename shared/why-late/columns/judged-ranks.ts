import { oncePerTrace, type Query } from '../../engine/index.ts';
import { dataOf, KeySet } from '../../tables/index.ts';
import { judgeWaits, type JudgedRank } from './judge-ranks.ts';
import judgedRanksSql from './judged-ranks.sql';
import { openRankCase } from './rank-case.ts';
import type { Wait } from './wait.ts';

/** The waits whose rank was judged. */
export interface JudgedRanks {
  /** The judgement on a thread's wait that began at a time; undefined where there is none. */
  of(utid: number, ts: number): JudgedRank | undefined;
}

/** No wait has a judged rank. */
export const NONE_JUDGED: JudgedRanks = { of: () => undefined };

/** The judgements of one trace, as far as they were asked for. */
class Judge implements JudgedRanks {
  readonly #ofThread = new Map<number, Map<number, JudgedRank>>();
  /** The threads that have any: millions of waits ask, and few threads have. */
  #judged = new KeySet([]);

  of(utid: number, ts: number): JudgedRank | undefined {
    return this.#judged.has(utid) ? this.#ofThread.get(utid)?.get(ts) : undefined;
  }

  add(judgements: readonly JudgedRank[]): void {
    for (const judged of judgements) {
      const waits = this.#ofThread.get(judged.utid) ?? new Map<number, JudgedRank>();
      this.#ofThread.set(judged.utid, waits.set(judged.ts, judged));
    }
    this.#judged = new KeySet(this.#ofThread.keys());
  }
}

const loadCase = oncePerTrace(async (query: Query) => {
  const found = await openRankCase(dataOf(query).tables);
  const left = new Set(found.doubts);
  return { found, left, judge: new Judge() };
});

/** By SQL all are judged already. */
const judgedBySql = oncePerTrace(async (query: Query): Promise<JudgedRanks> => {
  const judge = new Judge();
  const rows = [...(await query(judgedRanksSql)).rows()];
  judge.add(
    rows.map((row) => ({
      ts: Number(row.ts),
      dur: Number(row.dur),
      utid: Number(row.utid),
      rank_before: Number(row.rank_before),
      rank_after: Number(row.rank_after),
      rank: Number(row.rank),
      before_explains_ns: Number(row.before_explains_ns),
      after_explains_ns: Number(row.after_explains_ns),
      put_aside_better: row.put_aside_better === 1,
    })),
  );
  return judge;
});

/** Judges ranks of a trace; once. */
export const loadJudgedRanks = oncePerTrace((query: Query) => judgedRanksOf(query, () => true));

/** The same, of some waits alone; others that were judged before come with them. */
export async function judgedRanksOf(
  query: Query,
  isWanted: (wait: Pick<Wait, 'utid' | 'ts' | 'te'>) => boolean,
): Promise<JudgedRanks> {
  if (!dataOf(query).hasColumns) return judgedBySql(query);
  const { found, left, judge } = await loadCase(query);
  const wanted = [...left].filter(isWanted);
  judge.add(await judgeWaits(found, wanted));
  for (const wait of wanted) left.delete(wait);
  return judge;
}
