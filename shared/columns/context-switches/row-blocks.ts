import { batchOf, type ColumnTable, type ColumnValues } from '../column-table.ts';

/** So many rows are in a block: a power of 2. */
export const BLOCK_ROWS = 1024;

/** Values of one column of a block. All columns have arrays of one kind, since loops over several kinds are slow. */
export interface BlockColumn {
  /** 0 where a row has no value. */
  readonly present: Uint8Array;
  /** Each value: of 8 bytes two words, the lower first; of texts the numbers in the dictionary. */
  readonly words: Uint32Array;
}

/** The columns of rows that follow one another, from a multiple of {@link BLOCK_ROWS} on. */
export type RowBlock = readonly BlockColumn[];

/** Reads some columns of a table at any rows, a block at once. The blocks that were read last are kept. */
export class RowBlocks {
  readonly rowCount: number;
  readonly #table: ColumnTable;
  readonly #columns;
  readonly #blocksMax: number;
  readonly #kept: (RowBlock | undefined)[] = [];
  /** The numbers of blocks that are kept, the oldest first. */
  readonly #order: number[] = [];

  /** `names`: the columns, in the order in which blocks have them. At most `blocksMax` blocks are kept. */
  constructor(table: ColumnTable, names: readonly string[], blocksMax: number) {
    this.rowCount = table.rowCount;
    this.#table = table;
    this.#columns = names.map((name) => {
      const number = columnNumber(table, name);
      const type = table.columns[number]?.type;
      const [bytes, isSigned] = type?.kind === 'int' ? [type.bytes, type.signed] : [4, false];
      // Whole numbers of fewer bytes get the sign that they have.
      const unused = isSigned && bytes < 4 ? 32 - 8 * bytes : 0;
      return { reader: table.openColumn(number), width: bytes === 8 ? 2 : 1, unused };
    });
    this.#blocksMax = blocksMax;
  }

  /** The block that a row is in. */
  of(row: number): RowBlock {
    const number = Math.floor(row / BLOCK_ROWS);
    return this.#kept[number] ?? this.#keep(number);
  }

  /** A time of a row in ns; NaN for null. */
  timeAt(row: number, column: number): number {
    return timeOf(this.of(row), column, row % BLOCK_ROWS);
  }

  #keep(number: number): RowBlock {
    if (this.#order.length >= this.#blocksMax) {
      const oldest = this.#order.shift();
      if (oldest !== undefined) this.#kept[oldest] = undefined;
    }
    this.#order.push(number);
    return (this.#kept[number] = this.#read(number * BLOCK_ROWS));
  }

  #read(firstRow: number): RowBlock {
    const { batches } = this.#table;
    const endRow = Math.min(firstRow + BLOCK_ROWS, this.rowCount);
    return this.#columns.map(({ reader, width, unused }) => {
      const present = new Uint8Array(endRow - firstRow).fill(1);
      const words = new Uint32Array(width * (endRow - firstRow));
      // A block may lie in several batches.
      for (let row = firstRow; row < endRow;) {
        const batch = batchOf(batches, row);
        const { firstRow: first, rowCount } = batches[batch] ?? { firstRow: 0, rowCount: 0 };
        const end = Math.min(endRow, first + rowCount);
        const loaded = reader.load(batch, row - first, end - first);
        if (loaded.present !== null) present.set(loaded.present, row - firstRow);
        words.set(bitsOf(loaded), width * (row - firstRow));
        row = end;
      }
      if (unused > 0) words.forEach((word, at) => (words[at] = (word << unused) >> unused));
      return { present, words };
    });
  }
}

/** A time of a row of a block in ns; NaN for null. */
export function timeOf(block: RowBlock, number: number, place: number): number {
  const column = block[number];
  return column === undefined || column.present[place] === 0 ? NaN : timeAt(column.words, place);
}

/** A time of 64 bits, in ns. */
export function timeAt(words: ArrayLike<number>, row: number): number {
  return ((words[2 * row + 1] ?? 0) | 0) * 2 ** 32 + (words[2 * row] ?? 0);
}

/** The bits of each value: of texts, which must have a dictionary, their numbers there. */
export function bitsOf(loaded: ColumnValues): Uint8Array | Uint16Array | Uint32Array {
  const bits = loaded.kind === 'text' ? loaded.codes : loaded.values;
  if (bits === null) throw new RangeError('texts without a dictionary have no numbers');
  return bits;
}

/** The number of a column. Throws a RangeError where there is none of this name. */
export function columnNumber({ columns, file }: ColumnTable, wanted: string): number {
  const number = columns.findIndex(({ name }) => name === wanted);
  if (number === -1) throw new RangeError(`no column "${wanted}" in ${file}`);
  return number;
}
