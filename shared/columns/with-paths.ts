import type { ColumnReader, ColumnTable, ColumnValues, Dictionary } from './column-table.ts';
import { dictionaryOf, readTexts, readWords } from './read-all.ts';
import { Scratch } from './scratch.ts';

/** The column with the key of a file, and the one with its path. */
const [KEY, PATH] = ['file', 'path'];

/** A table of requests with the path of each file in the place of its key; any other table as it is. `paths` are by key. */
export function withPaths(table: ColumnTable, paths: Dictionary): ColumnTable {
  const at = table.columns.findIndex(({ name, type }) => name === KEY && type.kind === 'int');
  if (at === -1) return table;
  return {
    ...table,
    columns: table.columns.map((column, number) =>
      number === at ? { name: PATH, type: { kind: 'text' }, dictionary: paths } : column,
    ),
    openColumn: (number) =>
      number === at ? pathsOf(table.openColumn(number), table, paths) : table.openColumn(number),
  };
}

/** The texts of all files, by their keys; null where none is told. */
export function readPaths(files: ColumnTable): Dictionary {
  const texts = readTexts(files, PATH);
  const paths: Uint8Array[] = [];
  readWords(files, KEY).forEach((key, row) => (paths[key] = texts[row] ?? new Uint8Array(0)));
  return dictionaryOf(Array.from(paths, (path: Uint8Array | undefined) => path));
}

/** The paths of files by the keys that a column has. */
function pathsOf(keys: ColumnReader, { batches }: ColumnTable, dictionary: Dictionary): ColumnReader {
  const [presents, starts, lengths] = [new Scratch(), new Scratch(), new Scratch()];
  const load = (batch: number, from: number, to: number): ColumnValues & { kind: 'text' } => {
    const loaded = keys.load(batch, from, to);
    if (loaded.kind !== 'number') throw new RangeError('a key of a file is a number');
    const present = presents.bytes(to - from);
    const [start, length] = [starts.words(to - from), lengths.words(to - from)];
    const codes = loaded.values;
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] ?? 0;
      const is = loaded.present?.[row] !== 0 && dictionary.present?.[code] === 1;
      present[row] = is ? 1 : 0;
      start[row] = is ? (dictionary.start[code] ?? 0) : 0;
      length[row] = is ? (dictionary.length[code] ?? 0) : 0;
    }
    return { kind: 'text', present, bytes: dictionary.bytes, start, length, codes };
  };
  return {
    load,
    addLengths(batch, sums) {
      const { length } = load(batch, 0, batches[batch]?.rowCount ?? 0);
      length.forEach((each, row) => (sums[row] = (sums[row] ?? 0) + each));
    },
  };
}
