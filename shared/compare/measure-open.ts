import { TableBuilder, type Query, type TablesProgress } from '../engine/index.ts';
import { dataOf, TABLE_MODULES } from '../tables/index.ts';
import { measureFirst, measureTrace, type Measured, type MeasureRequest } from './measure.ts';

/** Measures a range of an open trace for a comparison, or what of it is measured first; the tables that it lacks are built before. */
export async function measureOpen(
  query: Query,
  request: MeasureRequest,
  onProgress: (progress: TablesProgress) => void,
  part: 'all' | 'first' = 'all',
): Promise<Measured> {
  const modules = dataOf(query).hasColumns ? [] : [...new Set(Object.values(TABLE_MODULES))];
  await new TableBuilder(query, onProgress).need(modules);
  return part === 'first' ? measureFirst(query, request) : measureTrace(query, request);
}
