import type { NumberValues, ReadHow, Stretch, TableName, Tables } from '../tables/index.ts';
import { firstWhere, Rows, type ColumnMemory } from './rows.ts';

/** Reads the rows of a table that touch a stretch of time, with some of its columns, among them `ts` and `te`; into `memory` if there is one. */
export async function readRows<C extends string>(
  tables: Tables,
  table: TableName,
  columns: readonly (C | 'ts' | 'te')[],
  stretch: Stretch,
  how?: ReadHow,
  memory: ColumnMemory | null = null,
): Promise<Rows<C | 'ts' | 'te'>> {
  const rows = new Rows<C | 'ts' | 'te'>(columns, memory);
  let picked = new Uint32Array(0);
  for await (const batch of tables.batches(table, columns, stretch, how)) {
    const { rowCount } = batch;
    const [starts, ends] = [batch.columns.ts.values, batch.columns.te.values];
    // Rows are in the order of their ends.
    let row = firstWhere(rowCount, (at) => (ends[at] ?? 0) > stretch.start);
    if ((ends[rowCount - 1] ?? 0) < stretch.end) {
      rows.appendFrom(batch, row);
      continue;
    }
    if (picked.length < rowCount) picked = new Uint32Array(rowCount);
    const least = leastStarts(starts);
    let count = 0;
    for (; row < rowCount && (least[row] ?? Infinity) < stretch.end; row++)
      if ((starts[row] ?? 0) < stretch.end) picked[count++] = row;
    rows.append(batch, picked, count);
  }
  return rows;
}

const keptLeast = new WeakMap<NumberValues, Float64Array>();

/** Of each row of a batch the least start from there on; kept, since a batch is read for one stretch after the other. */
function leastStarts(starts: NumberValues): Float64Array {
  const least = keptLeast.get(starts) ?? leastFromHere(starts);
  keptLeast.set(starts, least);
  return least;
}

/** Of each value the least from there on. */
export function leastFromHere(values: ArrayLike<number>): Float64Array {
  const least = new Float64Array(values.length);
  let most = Infinity;
  for (let at = values.length - 1; at >= 0; at--) {
    most = Math.min(most, values[at] ?? Infinity);
    least[at] = most;
  }
  return least;
}
