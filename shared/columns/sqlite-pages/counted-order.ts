import { lastAtMost, type ColumnTable } from '../column-table.ts';
import type { IndexOrder } from './index-order.ts';
import { ranksOf, type TextRanks } from './text-ranks.ts';

/** Numbers of a table of fewer rows are counted too, where they span no more. */
const SPAN_LEAST = 65_536;

/**
 * Sorts a column of texts, or one of integers that span no more numbers than the table has rows, such as keys of threads. Each value is
 * counted, so that the order takes 4 bytes a row. Null for any other column.
 */
export function countedOrder(table: ColumnTable, column: number): IndexOrder | null {
  const { type, dictionary } = table.columns[column] ?? {};
  if (type === undefined || type.kind === 'float' || (type.kind === 'int' && type.bytes === 8)) return null;
  const ranks = dictionary ? ranksOf(dictionary) : null;
  if (type.kind === 'text' && ranks === null)
    throw new RangeError('texts without a dictionary have no order here');
  const read = numberReader(table, column, ranks);
  const { least, most, nullCount } = boundsOf(table, read);
  const span = most < least ? 0 : most - least + 1;
  if (ranks === null && span > Math.max(table.rowCount, SPAN_LEAST)) return null;
  const firstOf = countedFirsts(table, read, least, span, nullCount);
  const rows = placedRows(table, read, least, firstOf.slice());
  return {
    nullCount,
    rows,
    valuesAt(places, high, low) {
      let value = 0;
      for (let i = 0; i < places.length; i++) {
        const place = places[i] ?? 0;
        if (place < nullCount) continue;
        if (place < (firstOf[value] ?? 0) || place >= (firstOf[value + 1] ?? 0))
          value = lastAtMost(span, (at) => firstOf[at] ?? 0, place);
        const number = least + value;
        high[i] = number < 0 ? 0xffff_ffff : 0;
        low[i] = ranks === null ? number : (ranks.entryOf[number] ?? 0);
      }
    },
  };
}

/** The numbers of a batch, by row; NaN for null. */
type ReadNumbers = (batch: number) => Float64Array;

function numberReader(table: ColumnTable, column: number, ranks: TextRanks | null): ReadNumbers {
  const { type } = table.columns[column] ?? {};
  const isSigned = type?.kind === 'int' && type.signed;
  const reader = table.openColumn(column);
  const largest = table.batches.reduce((most, { rowCount }) => Math.max(most, rowCount), 0);
  const memory = new Float64Array(largest);
  return (batch) => {
    const rowCount = table.batches[batch]?.rowCount ?? 0;
    const numbers = memory.subarray(0, rowCount);
    if (rowCount === 0) return numbers;
    const column = reader.load(batch, 0, rowCount);
    const values = column.kind === 'text' ? column.codes : column.values;
    if (values === null) throw new RangeError('texts without a dictionary have no order here');
    if (ranks !== null) for (let i = 0; i < rowCount; i++) numbers[i] = ranks.rankOf[values[i] ?? 0] ?? 0;
    else if (isSigned) {
      const unused = 32 - 8 * values.BYTES_PER_ELEMENT;
      for (let i = 0; i < rowCount; i++) numbers[i] = ((values[i] ?? 0) << unused) >> unused;
    } else numbers.set(values);
    if (column.present !== null)
      for (let i = 0; i < rowCount; i++) if (column.present[i] === 0) numbers[i] = NaN;
    return numbers;
  };
}

function boundsOf({ batches }: ColumnTable, read: ReadNumbers) {
  let [least, most, nullCount] = [Infinity, -Infinity, 0];
  for (let batch = 0; batch < batches.length; batch++) {
    const numbers = read(batch);
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] ?? NaN;
      if (number < least) least = number;
      if (number > most) most = number;
      if (Number.isNaN(number)) nullCount++;
    }
  }
  return { least, most, nullCount };
}

/** The first place of each number from `least` on, after those of null; and, last, the number of rows. */
function countedFirsts(
  { batches }: ColumnTable,
  read: ReadNumbers,
  least: number,
  span: number,
  nullCount: number,
): Uint32Array {
  const firstOf = new Uint32Array(span + 1);
  for (let batch = 0; batch < batches.length; batch++) {
    const numbers = read(batch);
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] ?? NaN;
      if (Number.isNaN(number)) continue;
      const value = (number - least) | 0;
      firstOf[value] = (firstOf[value] ?? 0) + 1;
    }
  }
  let place = nullCount;
  for (let value = 0; value <= span; value++) {
    const count = firstOf[value] ?? 0;
    firstOf[value] = place;
    place += count;
  }
  return firstOf;
}

/** The rows in order. `nextOf` has the next place of each number from `least` on, and is used up. */
function placedRows(
  { batches, rowCount }: ColumnTable,
  read: ReadNumbers,
  least: number,
  nextOf: Uint32Array,
) {
  const rows = new Uint32Array(rowCount);
  let nextNull = 0;
  for (let batch = 0; batch < batches.length; batch++) {
    const numbers = read(batch);
    const firstRow = batches[batch]?.firstRow ?? 0;
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] ?? NaN;
      if (Number.isNaN(number)) rows[nextNull++] = firstRow + i;
      else {
        const value = (number - least) | 0;
        const place = nextOf[value] ?? 0;
        nextOf[value] = place + 1;
        rows[place] = firstRow + i;
      }
    }
  }
  return rows;
}
