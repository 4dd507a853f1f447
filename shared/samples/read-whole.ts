import type { TableName, Tables, Values } from '../tables/index.ts';

type Numbers = Float64Array | Int32Array;
type Makers = Readonly<Record<string, Float64ArrayConstructor | Int32ArrayConstructor>>;

/** Columns of a table as arrays of the kinds in `M`. */
export type WholeColumns<M extends Makers> = { readonly [C in keyof M]: InstanceType<M[C]> };

/** All rows of columns of a table, one column behind the other; -1 for missing numbers. */
export async function readWhole<M extends Makers>(
  tables: Tables,
  table: TableName,
  makers: M,
): Promise<{ readonly count: number; readonly columns: WholeColumns<M> }> {
  const count = await tables.rowCount(table);
  const names = Object.keys(makers);
  const into = names.map((name) => new (makers[name] ?? Float64Array)(count));
  let first = 0;
  for await (const batch of tables.batches(table, names, undefined, 'once')) {
    names.forEach((name, at) => {
      const [all, values] = [into[at], batch.columns[name]];
      if (all !== undefined && values !== undefined) fill(all, first, values);
    });
    first += batch.rowCount;
  }
  const columns = Object.fromEntries(names.map((name, at) => [name, into[at]])) as WholeColumns<M>;
  return { count, columns };
}

function fill(into: Numbers, first: number, { values, present }: Values): void {
  into.set(values, first);
  if (present === null) return;
  for (let row = 0; row < present.length; row++) if (present[row] === 0) into[first + row] = -1;
}
