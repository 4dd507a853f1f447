import type { Column, ColumnType, ColumnValues } from '../column-table.ts';
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
      if (column.kind === 'text') {
        const { length } = column;
        for (let i = 0; i < count; i++)
          if (present?.[from + i] !== 0)
            recordBytes[i] = (recordBytes[i] ?? 0) + (length[from + i] ?? 0);
      } else if (present !== null) {
        for (let i = 0; i < count; i++)
          if (present[from + i] === 0) recordBytes[i] = (recordBytes[i] ?? 0) - bytes;
      }
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
    this.#fields.forEach((field, number) => {
      const column = columns[number];
      if (column === undefined) return;
      if (column.kind === 'text') this.#writeTexts(field, column, from, count, out);
      else if (column.kind === 'bool') this.#writeBools(field, column, from, count, out);
      else if (field.isKey) this.#writeKey(field, column, from, count, out);
      else this.#writeNumbers(field, column, from, count, out, view);
    });
  }

  /** The key is the row's id, and null in the record (§2.1, "INTEGER PRIMARY KEY"). */
  #writeKey(
    { headerAt }: Field,
    { values }: ColumnValues & { kind: 'number' },
    from: number,
    count: number,
    out: Uint8Array,
  ): void {
    const { start } = this.#cells;
    for (let i = 0; i < count; i++) {
      const cell = start[i] ?? 0;
      const row = from + i;
      putRowid(out, cell + this.#lengthBytes, values[2 * row + 1] ?? 0, values[2 * row] ?? 0);
      out[cell + this.prefixBytes + headerAt] = SERIAL.null;
    }
  }

  #writeTexts(
    { headerAt, headerBytes }: Field,
    { present, bytes, start: starts, length: lengths }: ColumnValues & { kind: 'text' },
    from: number,
    count: number,
    out: Uint8Array,
  ): void {
    const { start, next } = this.#cells;
    const before = this.prefixBytes + headerAt;
    for (let i = 0; i < count; i++) {
      const header = (start[i] ?? 0) + before;
      if (present !== null && present[from + i] === 0) {
        putVarint(out, header, SERIAL.null, headerBytes);
        continue;
      }
      const length = lengths[from + i] ?? 0;
      const source = starts[from + i] ?? 0;
      const at = next[i] ?? 0;
      if (headerBytes === 1) out[header] = serialOfText(length);
      else putVarint(out, header, serialOfText(length), headerBytes);
      // A call to copy costs more than a few bytes.
      if (length < 32) for (let j = 0; j < length; j++) out[at + j] = bytes[source + j] ?? 0;
      else out.set(bytes.subarray(source, source + length), at);
      next[i] = at + length;
    }
  }

  #writeBools(
    { headerAt }: Field,
    { present, values }: ColumnValues & { kind: 'bool' },
    from: number,
    count: number,
    out: Uint8Array,
  ): void {
    const { start } = this.#cells;
    const before = this.prefixBytes + headerAt;
    for (let i = 0; i < count; i++)
      out[(start[i] ?? 0) + before] =
        present !== null && present[from + i] === 0 ? SERIAL.null : SERIAL.zero + (values[from + i] ?? 0);
  }

  /** Little-endian to big-endian; an unsigned number gets zeros before it. */
  #writeNumbers(
    { headerAt, bytes, serial }: Field,
    { present, values }: ColumnValues & { kind: 'number' },
    from: number,
    count: number,
    out: Uint8Array,
    view: DataView,
  ): void {
    const { start, next } = this.#cells;
    const before = this.prefixBytes + headerAt;
    for (let i = 0; i < count; i++) {
      const header = (start[i] ?? 0) + before;
      const row = from + i;
      if (present !== null && present[row] === 0) {
        out[header] = SERIAL.null;
        continue;
      }
      out[header] = serial;
      const at = next[i] ?? 0;
      next[i] = at + bytes;
      switch (bytes) {
        case 8:
          view.setUint32(at, values[2 * row + 1] ?? 0);
          view.setUint32(at + 4, values[2 * row] ?? 0);
          break;
        case 4:
          view.setUint32(at, values[row] ?? 0);
          break;
        case 6:
          view.setUint16(at, 0);
          view.setUint32(at + 2, values[row] ?? 0);
          break;
        case 3:
          out[at] = 0;
          view.setUint16(at + 1, values[row] ?? 0);
          break;
        case 2:
          view.setUint16(at, values[row] ?? 0);
          break;
        default:
          out[at] = values[row] ?? 0;
      }
    }
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
