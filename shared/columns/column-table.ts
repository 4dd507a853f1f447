/** The type of a column's values. */
export type ColumnType =
  | { readonly kind: 'int'; readonly bytes: 1 | 2 | 4 | 8; readonly signed: boolean }
  | { readonly kind: 'float' }
  | { readonly kind: 'bool' }
  | { readonly kind: 'text' };

/** A column of a table, without its values. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** For a text column with a dictionary: its texts. Else null. */
  readonly dictionary: Dictionary | null;
}

/** The different texts of a column, in UTF-8, one after another. */
export interface Dictionary {
  readonly size: number;
  readonly bytes: Uint8Array;
  /** Where each text starts in `bytes`. */
  readonly start: Uint32Array;
  /** How long each text is, in bytes. */
  readonly length: Uint32Array;
  /** 0 for an entry that stands for null; null where there is no such entry. */
  readonly present: Uint8Array | null;
  /** The longest text, in bytes. */
  readonly longestBytes: number;
}

/** Values of one column for a stretch of rows. They hold until the same reader loads again. */
export type ColumnValues = {
  /** One byte a row, 0 for null. Null where each row has a value. */
  readonly present: Uint8Array | null;
} & (
  | {
      readonly kind: 'number';
      /** The bits of one value; of 8 bytes, the lower half comes first. */
      readonly values: Uint8Array | Uint16Array | Uint32Array;
    }
  | {
      readonly kind: 'bool';
      /** 0 or 1, one byte a row. */
      readonly values: Uint8Array;
    }
  | {
      readonly kind: 'text';
      readonly bytes: Uint8Array;
      readonly start: Uint32Array;
      /** In bytes; of no meaning where the value is null. */
      readonly length: Uint32Array;
      /** The entries of the dictionary, of no meaning where the value is null; null where there is none. */
      readonly codes: Uint8Array | Uint16Array | Uint32Array | null;
    }
);

/** Reads one column, stretch by stretch, into buffers of its own. */
export interface ColumnReader {
  /** The values of the rows `from` to `to` (exclusive) of a batch, counted within it. A float that is no number is null. */
  load(batch: number, from: number, to: number): ColumnValues;
  /** Adds the length of each text of a batch, in bytes, to `sums`. A null may add what it likes. Text columns alone. */
  addLengths(batch: number, sums: Float64Array): void;
}

/** Rows that follow one another. */
export interface Batch {
  readonly firstRow: number;
  readonly rowCount: number;
}

/** A table in columns, whose values are read when they are asked for. */
export interface ColumnTable {
  /** The file that it is in. */
  readonly file: string;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** All rows, in order. A batch may be empty. */
  readonly batches: readonly Batch[];
  /** The column of Int64 that ascends from row to row, without a null and with no value twice; null where there is none. */
  readonly key: string | null;
  /** A reader of a column, by its number. */
  openColumn(column: number): ColumnReader;
}

/** The batch that a row is in. */
export function batchOf(batches: readonly Batch[], row: number): number {
  return lastAtMost(batches.length, (i) => batches[i]?.firstRow ?? 0, row);
}

/** The last of `count` ascending numbers that is at most `value`; 0 where none is. */
export function lastAtMost(count: number, at: (i: number) => number, value: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (at(middle) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
