import { TableBuilder, type Query, type TablesProgress } from '../engine/index.ts';
import { dataOf, TABLE_MODULES } from '../tables/index.ts';
import { measureTrace, type Measured, type MeasureRequest } from './measure.ts';

/** Measures a range of an open trace for a comparison; the tables that it lacks are built first. */
export async function measureOpen(
  query: Query,
  request: MeasureRequest,
  onProgress: (progress: TablesProgress) => void,
): Promise<Measured> {
  const modules = dataOf(query).hasColumns ? [] : [...new Set(Object.values(TABLE_MODULES))];
  await new TableBuilder(query, onProgress).need(modules);
  return measureTrace(query, request);
}
