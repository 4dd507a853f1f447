import type { ColumnTable, ColumnValues, Dictionary } from './column-table.ts';

/** All texts of a column of a small table, one by one; empty where there is none. */
export function readTexts(table: ColumnTable, name: string): readonly Uint8Array[] {
  return stretchesOf(table, name).flatMap((loaded) => {
    if (loaded.kind !== 'text') throw new RangeError(`"${name}" is no text`);
    return Array.from(loaded.length, (length, row) => {
      if (loaded.present?.[row] === 0) return new Uint8Array(0);
      const start = loaded.start[row] ?? 0;
      return loaded.bytes.slice(start, start + length);
    });
  });
}

/** Texts as a dictionary, an entry for each; null where there is none. */
export function dictionaryOf(texts: readonly (Uint8Array | undefined)[]): Dictionary {
  const length = Uint32Array.from(texts, (text) => text?.length ?? 0);
  const start = new Uint32Array(texts.length);
  const bytes = new Uint8Array(length.reduce((sum, each) => sum + each, 0));
  let end = 0;
  texts.forEach((text = new Uint8Array(0), at) => {
    start[at] = end;
    bytes.set(text, end);
    end += text.length;
  });
  const present = Uint8Array.from(texts, (text) => (text === undefined ? 0 : 1));
  const longestBytes = length.reduce((most, each) => Math.max(most, each), 0);
  return { size: texts.length, bytes, start, length, present, longestBytes };
}

/** All numbers of a column: of 8 bytes, two words each. */
export function readWords(table: ColumnTable, name: string): Uint32Array {
  const words = stretchesOf(table, name).map((loaded) => {
    if (loaded.kind !== 'number') throw new RangeError(`"${name}" is no number`);
    return Array.from(loaded.values);
  });
  return Uint32Array.from(words.flat());
}

/** The values of a column, batch by batch, each in memory of its own. */
function stretchesOf(table: ColumnTable, name: string): readonly ColumnValues[] {
  const column = table.columns.findIndex((each) => each.name === name);
  return table.batches.map(({ rowCount }, batch) => table.openColumn(column).load(batch, 0, rowCount));
}
