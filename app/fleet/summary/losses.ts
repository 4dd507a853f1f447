import { group, min, sum } from 'd3';
import { readRows, type Tables } from '../../../shared/tables/index.ts';
import type { LakeRow } from '../tables.ts';

/** What is missing, by kind. */
export async function summariseLosses(tables: Tables): Promise<readonly LakeRow<'loss'>[]> {
  const gaps = await readRows(tables, 'etw_loss', ['ts', 'dur', 'kind', 'count']);
  return [...group(gaps, ({ kind }) => String(kind))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, own]) => {
      const counts = own.flatMap(({ count }) => (count === null ? [] : [Number(count)]));
      return {
        kind,
        gaps: own.length,
        events: counts.length === 0 ? null : sum(counts),
        dur_ns: sum(own, ({ dur }) => Number(dur)),
        first_ts: min(own, ({ ts }) => Number(ts)) ?? null,
      };
    });
}
