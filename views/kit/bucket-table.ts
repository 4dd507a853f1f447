import type { ViewColumn, ViewTable } from '../../shared/view/index.ts';
import { column, makeTable, type Column } from './make-table.ts';

/** A column of values, one for each bucket of time. */
export function bucketColumn(
  name: string,
  title: string,
  kind: ViewColumn['kind'],
  help: string,
  values: readonly number[],
): Column<number> {
  return column(name, title, kind, help, (bucket) => values[bucket] ?? 0);
}

/** A table with a row for each bucket of time. `edges` are the bounds of the buckets: one more than there are buckets. */
export function bucketTable(
  title: string,
  edges: readonly number[],
  columns: readonly Column<number>[],
): ViewTable {
  const from = bucketColumn('ts', 'From', 'time_ns', 'When the bucket of time starts.', edges);
  return makeTable(title, [from, ...columns], [...edges.slice(1).keys()]);
}
