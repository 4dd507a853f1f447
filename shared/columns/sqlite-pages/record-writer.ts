import type { Column, ColumnType, ColumnValues } from '../column-table.ts';
import {
  addTextBytes,
  putBools,
  putNumbers1,
  putNumbers2,
  putNumbers4,
  putNumbers8,
  putTexts,
  takeNullBytes,
  type Target,
} from './put-columns.ts';
import { putRowid, putVarint, ROWID_BYTES, SERIAL, serialOfText, varintBytes } from './format.ts';

/** Longest text that is reckoned with where a column has no dictionary: what the length of an Arrow text can be. */
const TEXT_BYTES_MAX = 2 ** 31;

/** How the values of one column are written. */
interface Field {
  /** Where the serial type stands in a record. */
  readonly headerAt: number;
  readonly headerBytes: number;
  /** Bytes of a value; 0 for texts, which have their own lengths. */
  readonly bytes: number;
  readonly serial: number;
  readonly isKey: boolean;
}

/** Cells of rows that were measured, in arrays that are used again. */
interface Cells {
  recordBytes: Uint32Array;
  /** Where the cell begins. */
  start: Uint32Array;
  /** Where its next value goes. */
  next: Uint32Array;
}

/**
 * Writes rows as the cells of a table's leaves (§1.6 and §2.1 of the format), column by column. Each field of a record has a
 * serial type of its own, the widest that its column needs, so that headers have one length.
 */
export class RecordWriter {
  /** The most bytes that a cell takes; not bounded to any use where a column has texts and no dictionary. */
  readonly cellBytesMax: number;
  /** {@link cellBytesMax} without all texts. */
  readonly fixedBytesMax: number;
  /** Bytes before a record in its cell: its length and its row's id. */
  readonly prefixBytes: number;
  readonly #fields: readonly Field[];
  readonly #lengthBytes: number;
  readonly #headerBytes: number;
  readonly #headerLengthBytes: number;
  readonly #fixedBytes: number;
  readonly #cells: Cells = {
    recordBytes: new Uint32Array(0),
    start: new Uint32Array(0),
    next: new Uint32Array(0),
  };

  #allPresent = new Uint8Array(0);

  /** `key`: the number of the column that is the row's id; -1 for none. */
  constructor(columns: readonly Column[], key: number) {
    const typeBytes = columns.map(({ type, dictionary }) =>
      type.kind === 'text' ? varintBytes(serialOfText(dictionary?.longestBytes ?? TEXT_BYTES_MAX)) : 1,
    );
    const typesBytes = typeBytes.reduce((a, b) => a + b, 0);
    this.#headerLengthBytes = typesBytes + 1 <= 127 ? 1 : 2;
    this.#headerBytes = typesBytes + this.#headerLengthBytes;
    let headerAt = this.#headerLengthBytes;
    let textBytesMax = 0;
    this.#fields = columns.map(({ type, dictionary }, i) => {
      const headerBytes = typeBytes[i] ?? 1;
      const field = { headerAt, headerBytes, isKey: i === key, ...widthOf(type) };
      headerAt += headerBytes;
      if (type.kind === 'text') textBytesMax += dictionary?.longestBytes ?? TEXT_BYTES_MAX;
      return field;
    });
    this.#fixedBytes =
      this.#headerBytes + this.#fields.reduce((sum, { bytes, isKey }) => sum + (isKey ? 0 : bytes), 0);
    this.#lengthBytes = Math.min(varintBytes(this.#fixedBytes + textBytesMax), 5);
    this.prefixBytes = this.#lengthBytes + ROWID_BYTES;
    this.fixedBytesMax = this.prefixBytes + this.#fixedBytes;
    this.cellBytesMax = this.fixedBytesMax + textBytesMax;
  }

  /** Measures `count` rows, from row `from` of what is loaded. Gives the bytes of their cells together. */
  measure(columns: readonly ColumnValues[], from: number, count: number): number {
    const cells = this.#cells;
    if (cells.recordBytes.length < count) {
      cells.recordBytes = new Uint32Array(count);
      cells.start = new Uint32Array(count);
      cells.next = new Uint32Array(count);
    }
    const { recordBytes } = cells;
    recordBytes.fill(this.#fixedBytes, 0, count);
    this.#fields.forEach(({ isKey, bytes }, number) => {
      const column = columns[number];
      if (isKey || column === undefined) return;
      const { present } = column;
      if (column.kind === 'text')
        addTextBytes(recordBytes, from, count, present ?? this.#ones(from + count), column.length);
      else if (present !== null) takeNullBytes(recordBytes, from, count, present, bytes);
    });
    let sum = this.prefixBytes * count;
    for (let i = 0; i < count; i++) sum += recordBytes[i] ?? 0;
    return sum;
  }

  /** The bytes of the record of a row that was measured last. */
  recordBytes(row: number): number {
    return this.#cells.recordBytes[row] ?? 0;
  }

  /** Where the cell of a row is that was written last. */
  cellAt(row: number): number {
    return this.#cells.start[row] ?? 0;
  }

  /**
   * Writes the cells of the rows that were measured last, one after another from `at` on. Their ids are the values of the key,
   * or count from `firstRow`.
   */
  write(
    columns: readonly ColumnValues[],
    from: number,
    count: number,
    firstRow: number,
    out: Uint8Array,
    at: number,
  ): void {
    const { recordBytes, start, next } = this.#cells;
    const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
    let cellAt = at;
    for (let i = 0; i < count; i++) {
      const bytes = recordBytes[i] ?? 0;
      start[i] = cellAt;
      putVarint(out, cellAt, bytes, this.#lengthBytes);
      const recordAt = cellAt + this.prefixBytes;
      putVarint(out, recordAt, this.#headerBytes, this.#headerLengthBytes);
      next[i] = recordAt + this.#headerBytes;
      cellAt = recordAt + bytes;
    }
    if (!this.#fields.some(({ isKey }) => isKey)) {
      for (let i = 0; i < count; i++)
        putRowid(out, (start[i] ?? 0) + this.#lengthBytes, firstRow + i > 0xffff_ffff ? 1 : 0, firstRow + i);
    }
    const target = { from, count, out, view };
    this.#fields.forEach((field, number) => {
      const column = columns[number];
      if (column?.kind === 'number' && field.isKey) this.#writeKey(field, column, target);
      else if (column !== undefined) this.#writeColumn(field, column, target);
    });
  }

  /** The key is the row's id, and null in the record (§2.1, "INTEGER PRIMARY KEY"). */
  #writeKey(
    { headerAt }: Field,
    { values }: ColumnValues & { kind: 'number' },
    { from, count, out }: Target,
  ): void {
    const { start } = this.#cells;
    for (let i = 0; i < count; i++) {
      const cell = start[i] ?? 0;
      const row = from + i;
      putRowid(out, cell + this.#lengthBytes, values[2 * row + 1] ?? 0, values[2 * row] ?? 0);
      out[cell + this.prefixBytes + headerAt] = SERIAL.null;
    }
  }

  #writeColumn({ headerAt, headerBytes, bytes, serial }: Field, column: ColumnValues, target: Target): void {
    const cells = this.#cells;
    const header = this.prefixBytes + headerAt;
    const present = column.present ?? this.#ones(target.from + target.count);
    if (column.kind === 'text') putTexts(cells, target, header, headerBytes, present, column);
    else if (column.kind === 'bool') putBools(cells, target, header, present, column.values);
    else {
      const { values } = column;
      // The format has no unsigned integers: zeros before one make it a wider signed one.
      const zeros = bytes - values.BYTES_PER_ELEMENT;
      if (values instanceof Uint8Array) putNumbers1(cells, target, header, serial, present, values, zeros);
      else if (values instanceof Uint16Array)
        putNumbers2(cells, target, header, serial, present, values, zeros);
      else if (bytes === 8) putNumbers8(cells, target, header, serial, present, values);
      else putNumbers4(cells, target, header, serial, present, values, zeros);
    }
  }

  /** So many ones: what stands for a column without nulls. */
  #ones(count: number): Uint8Array {
    if (this.#allPresent.length < count) this.#allPresent = new Uint8Array(count).fill(1);
    return this.#allPresent;
  }
}

/** The serial type of a column's values, and their bytes. The format has no unsigned integers: those take the next wider type. */
export function widthOf(type: ColumnType): { readonly bytes: number; readonly serial: number } {
  switch (type.kind) {
    case 'text':
    case 'bool':
      return { bytes: 0, serial: SERIAL.zero };
    case 'float':
      return { bytes: 8, serial: SERIAL.float };
    case 'int':
      if (type.bytes === 8) return { bytes: 8, serial: SERIAL.int64 };
      if (type.bytes === 4)
        return type.signed ? { bytes: 4, serial: SERIAL.int32 } : { bytes: 6, serial: SERIAL.int48 };
      if (type.bytes === 2)
        return type.signed ? { bytes: 2, serial: SERIAL.int16 } : { bytes: 3, serial: SERIAL.int24 };
      return type.signed ? { bytes: 1, serial: SERIAL.int8 } : { bytes: 2, serial: SERIAL.int16 };
  }
}
