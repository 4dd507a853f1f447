import { numberAt, textAt, type TableName, type Tables } from './tables.ts';

/** The first row of a table, by column; null where the table has none. */
export async function firstRow<C extends string>(
  tables: Tables,
  table: TableName,
  columns: readonly C[],
): Promise<Readonly<Record<C, string | number | null>> | null> {
  for await (const batch of tables.batches(table, columns)) {
    const cells = columns.map((name): [C, string | number | null] => {
      const values = batch.columns[name];
      return [name, values.texts === null ? numberAt(values, 0) : textAt(values, 0)];
    });
    return Object.fromEntries(cells) as Record<C, string | number | null>;
  }
  return null;
}
