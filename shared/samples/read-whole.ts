import type { TableName, Tables, Values } from '../tables/index.ts';

/** All rows of columns of a table, one column behind the other; of missing numbers `absent`. */
export async function readWhole<C extends string>(
  tables: Tables,
  table: TableName,
  names: readonly C[],
  absent = -1,
): Promise<{ readonly count: number; readonly columns: Readonly<Record<C, Float64Array>> }> {
  const count = await tables.rowCount(table);
  const columns = Object.fromEntries(names.map((name) => [name, new Float64Array(count)])) as Record<
    C,
    Float64Array
  >;
  let first = 0;
  for await (const batch of tables.batches(table, names, undefined, 'once')) {
    for (const name of names) fill(columns[name], first, batch.columns[name], absent);
    first += batch.rowCount;
  }
  return { count, columns };
}

function fill(into: Float64Array, first: number, { values, present }: Values, absent: number): void {
  into.set(values, first);
  if (present === null) return;
  for (let row = 0; row < present.length; row++) if (present[row] === 0) into[first + row] = absent;
}
