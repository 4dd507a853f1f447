import { oncePerTrace, type Query } from '../../shared/engine/index.ts';
import { dataOf, rankChanges, type RankChanges } from '../../shared/tables/index.ts';
import runBeforeSql from './run-before.sql';

/** Reads the ranks of all runs; once. */
export const loadRecordedRanks = oncePerTrace(async (query: Query): Promise<RankChanges> => {
  const { outline, tables } = dataOf(query);
  const before = await outline(runBeforeSql);
  const [ts, utid, rank] = [before.numbers('ts'), before.numbers('utid'), before.numbers('rank')];
  const ranks = Array.from(ts, (ts, row) => ({ ts, utid: utid[row] ?? 0, rank: rank[row] ?? 0 }));
  return rankChanges(tables, ranks);
});
