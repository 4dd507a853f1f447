import { measureTrace, type Measured } from '../../shared/compare/index.ts';
import { TableBuilder, type Query, type TablesProgress } from '../../shared/engine/index.ts';
import { dataOf, TABLE_MODULES } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';

/** Measures a range of an open trace for a comparison; the tables that it lacks are built first. */
export async function measureOpen(
  query: Query,
  name: string,
  range: TimeRange,
  onProgress: (progress: TablesProgress) => void,
): Promise<Measured> {
  const modules = dataOf(query).hasColumns ? [] : [...new Set(Object.values(TABLE_MODULES))];
  await new TableBuilder(query, onProgress).need(modules);
  return measureTrace(query, name, range);
}
