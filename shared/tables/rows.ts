import { numberAt, textAt, type TableName, type Tables, type Values } from './tables.ts';

/** A row of a table, by column. A flag is 0 or 1. */
export type TableRow<C extends string> = Readonly<Record<C, string | number | null>>;

/** All rows of a table that has few, in the order of the file. */
export async function readRows<C extends string>(
  tables: Tables,
  table: TableName,
  columns: readonly C[],
): Promise<readonly TableRow<C>[]> {
  const rows: TableRow<C>[] = [];
  for await (const batch of tables.batches(table, columns))
    for (let row = 0; row < batch.rowCount; row++) rows.push(rowAt(batch.columns, columns, row));
  return rows;
}

/** The one row of `etw_trace`; null where the trace is none of Windows. */
export async function traceRow<C extends string>(
  tables: Tables,
  columns: readonly C[],
): Promise<TableRow<C> | null> {
  for await (const batch of tables.batches('etw_trace', columns)) return rowAt(batch.columns, columns, 0);
  return null;
}

function rowAt<C extends string>(
  of: Readonly<Record<C, Values>>,
  columns: readonly C[],
  row: number,
): TableRow<C> {
  const cells: Partial<Record<C, string | number | null>> = {};
  for (const name of columns) {
    const values = of[name];
    cells[name] = values.texts === null ? numberAt(values, row) : textAt(values, row);
  }
  return cells as TableRow<C>;
}
