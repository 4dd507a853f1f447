import type { ArrowTable } from './arrow-table.ts';
import type { ColumnReader, ColumnTable, ColumnType, ColumnValues } from './column-table.ts';
import { Scratch } from './scratch.ts';

const TIME: ColumnType = { kind: 'int', bytes: 8, signed: true };

/**
 * A table of what lasts, with `dur` between `ts` and `te`: files of the cache leave it out, since it is `te - ts`. Any other table as it is.
 */
export function withLengths(table: ArrowTable): ColumnTable {
  const { columns } = table;
  const [first, second] = columns;
  if (first?.name !== 'ts' || second?.name !== 'te' || !isTime(first.type) || !isTime(second.type))
    return table;
  return {
    ...table,
    columns: [first, { name: 'dur', type: TIME, dictionary: null }, ...columns.slice(1)],
    openColumn(number) {
      if (number === 1) return lengths(table.openColumn(0), table.openColumn(1));
      return table.openColumn(number === 0 ? 0 : number - 1);
    },
  };
}

function isTime(type: ColumnType): boolean {
  return type.kind === 'int' && type.bytes === 8 && type.signed;
}

/** The differences of two columns of Int64; null where one of them is. */
function lengths(starts: ColumnReader, ends: ColumnReader): ColumnReader {
  const scratch = new Scratch();
  return {
    load(batch, from, to) {
      const [first, last] = [starts.load(batch, from, to), ends.load(batch, from, to)];
      const [start, end] = [wordsOf(first), wordsOf(last)];
      const values = scratch.words(2 * (to - from));
      for (let word = 0; word < values.length; word += 2) {
        const low = end[word] ?? 0;
        const subtracted = start[word] ?? 0;
        values[word] = low - subtracted;
        values[word + 1] = (end[word + 1] ?? 0) - (start[word + 1] ?? 0) - (low < subtracted ? 1 : 0);
      }
      const present = first.present?.map((is, row) => is & (last.present?.[row] ?? 1)) ?? last.present;
      return { kind: 'number', present, values };
    },
    addLengths: () => {
      throw new RangeError('a duration is no text');
    },
  };
}

function wordsOf(loaded: ColumnValues): Uint8Array | Uint16Array | Uint32Array {
  if (loaded.kind !== 'number') throw new RangeError('a time is a number');
  return loaded.values;
}
