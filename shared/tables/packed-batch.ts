/**
 * Columns of rows of one batch as one message. First numbers of 32 bits: how many rows there are, and for each column how many bytes its
 * validity, its values and its texts have; then these, each from a multiple of 8 on.
 */
import {
  ColumnsError,
  fillExactly,
  type ArrowTable,
  type ByteSource,
  type Region,
} from '../columns/index.ts';
import { filled } from './filled.ts';
import { doublesOf } from './int64.ts';
import type { ColumnInfo } from './table-info.ts';
import { decodedAt, type NumberValues, type TextBytes, type Values } from './tables.ts';
import { allRows, type RowRange } from './touched-rows.ts';

const NO_NUMBERS = new Float64Array(0);
const PARTS = 3;
const ALIGNED = 8;

const headBytesOf = (columns: number) => padded(4 * (1 + PARTS * columns));
const padded = (bytes: number) => Math.ceil(bytes / ALIGNED) * ALIGNED;

/** Packs columns of rows of a batch of a table, by their numbers. Throws a `ColumnsError` where the file ends before. */
export function packBatch(
  source: ByteSource,
  table: ArrowTable,
  batch: number,
  columns: readonly number[],
): Uint8Array<ArrayBuffer> {
  const packing = packingOf(table, batch, columns, allRows(table, batch));
  const bytes = new Uint8Array(packing.bytes);
  pack(source, packing, bytes);
  return bytes;
}

/**
 * Parts of a batch as one message: first how many there are, and of each the number of its first row in the batch and its length in bytes; then
 * the parts, packed.
 */
export function packParts(
  source: ByteSource,
  table: ArrowTable,
  batch: number,
  columns: readonly number[],
  ranges: readonly RowRange[],
): Uint8Array<ArrayBuffer> {
  const packings = ranges.map((rows) => packingOf(table, batch, columns, rows));
  let at = partsHeadBytes(packings.length);
  const bytes = new Uint8Array(packings.reduce((sum, packing) => sum + packing.bytes, at));
  const head = packings.flatMap(({ rows, bytes }) => [rows.from, bytes]);
  new Uint32Array(bytes.buffer).set([packings.length, ...head]);
  for (const packing of packings) {
    pack(source, packing, bytes.subarray(at, at + packing.bytes));
    at += packing.bytes;
  }
  return bytes;
}

/** What is packed of rows: parts of a file, three for each column. */
interface Packing {
  readonly rows: RowRange;
  readonly parts: readonly (Region | null)[];
  /** How many it takes. */
  readonly bytes: number;
}

function packingOf(table: ArrowTable, batch: number, columns: readonly number[], rows: RowRange): Packing {
  const rowCount = rows.to - rows.from;
  const parts = columns.flatMap((column): (Region | null)[] => {
    const { validity, values, texts } = table.regionsOf(batch, column);
    const from_bytes = (bitsOf: number) => (bitsOf * rows.from) / 8;
    const bits = bitsOfRow(table, column);
    const valueBytes = texts === null ? Math.ceil((bits * rowCount) / 8) : 4 * (rowCount + 1);
    return [
      validity && { at: validity.at + from_bytes(1), bytes: Math.ceil(rowCount / 8) },
      { at: values.at + from_bytes(bits), bytes: valueBytes },
      // Where texts begin and end is told from the first of the batch on.
      texts,
    ];
  });
  const bytes = parts.reduce((sum, part) => sum + padded(part?.bytes ?? 0), headBytesOf(columns.length));
  return { rows, parts, bytes };
}

/** Packs rows into bytes, which begin at a multiple of 8 of their memory. */
function pack(source: ByteSource, { rows, parts }: Packing, into: Uint8Array): void {
  const head = [rows.to - rows.from, ...parts.map((part) => part?.bytes ?? 0)];
  new Uint32Array(into.buffer, into.byteOffset, head.length).set(head);
  let at = padded(4 * head.length);
  for (const part of parts) {
    if (part === null) continue;
    fillExactly(source, part.at, into.subarray(at, at + part.bytes));
    at += padded(part.bytes);
  }
}

const partsHeadBytes = (count: number) => padded(4 * (1 + 2 * count));

/** How many bits a row has among the values of a column. */
function bitsOfRow(table: ArrowTable, column: number): number {
  const codeBytes = table.codeBytesOf(column);
  if (codeBytes !== null) return 8 * codeBytes;
  const type = table.columns[column]?.type;
  switch (type?.kind) {
    case 'int':
      return 8 * type.bytes;
    case 'float':
      return 64;
    case 'bool':
      return 1;
    default:
      return 32;
  }
}

/** Columns of rows that follow one another. */
export interface Unpacked {
  readonly rowCount: number;
  readonly columns: readonly Values[];
}

/**
 * The columns of packed rows, in their own bytes: these are changed. `areFew`: whole numbers of 64 bits are given as they are alone. Throws a
 * `ColumnsError` for bytes that are none.
 */
export function unpackBatch(
  table: string,
  bytes: Uint8Array,
  columns: readonly ColumnInfo[],
  areFew = false,
): Unpacked {
  const headBytes = headBytesOf(columns.length);
  if (bytes.length < headBytes) throw new ColumnsError(table, 0, `${headBytes} bytes at least of a batch`);
  // Typed arrays want their places aligned in the memory that they are in.
  const own = bytes.byteOffset % ALIGNED === 0 ? bytes : bytes.slice();
  const [rowCount = 0, ...lengths] = new Uint32Array(own.buffer, own.byteOffset, 1 + columns.length * PARTS);
  let at = headBytes;
  const take = (part: number): Uint8Array => {
    const length = lengths[part] ?? 0;
    const taken = own.subarray(at, at + length);
    if (taken.length < length) throw new ColumnsError(table, at, `${length} bytes of a column`);
    at += padded(length);
    return taken;
  };
  const unpacked = columns.map((column, number) => {
    const [validity, values, texts] = [
      take(PARTS * number),
      take(PARTS * number + 1),
      take(PARTS * number + 2),
    ];
    const least = packedBytes(column, rowCount);
    if (values.length < least || (validity.length > 0 && validity.length * 8 < rowCount))
      throw new ColumnsError(table, at, `${rowCount} values of column "${column.name}"`);
    const present = validity.length === 0 ? null : bits(validity, rowCount);
    if (areFew && column.form.kind === 'int' && column.form.bytes === 8) {
      const exact = new BigInt64Array(values.buffer, values.byteOffset, rowCount);
      return { values: NO_NUMBERS, present, texts: null, exact };
    }
    return valuesOf(column, rowCount, present, values, texts);
  });
  return { rowCount, columns: unpacked };
}

/** Rows of a batch from one of them on. */
export interface UnpackedPart extends Unpacked {
  /** The number of the first in the batch. */
  readonly from: number;
}

/** The columns of parts of a batch. Throws a `ColumnsError` for bytes that are none. */
export function unpackParts(
  table: string,
  bytes: Uint8Array,
  columns: readonly ColumnInfo[],
): UnpackedPart[] {
  const own = bytes.byteOffset % ALIGNED === 0 ? bytes : bytes.slice();
  const numbers = new Uint32Array(own.buffer, own.byteOffset, Math.floor(own.length / 4));
  const count = numbers[0] ?? 0;
  let at = partsHeadBytes(count);
  return Array.from({ length: Math.min(count, own.length) }, (_, part) => {
    const from = numbers[1 + 2 * part] ?? 0;
    const end = at + (numbers[2 + 2 * part] ?? 0);
    const packed = own.subarray(at, end);
    at = end;
    return { from, ...unpackBatch(table, packed, columns) };
  });
}

/** How many bytes the values of a column have at least. */
export function packedBytes({ form }: ColumnInfo, rowCount: number): number {
  switch (form.kind) {
    case 'int':
    case 'code':
      return form.bytes * rowCount;
    case 'float':
      return 8 * rowCount;
    case 'bool':
      return Math.ceil(rowCount / 8);
    case 'text':
      return rowCount === 0 ? 0 : 4 * (rowCount + 1);
  }
}

function valuesOf(
  { form }: ColumnInfo,
  rowCount: number,
  present: Uint8Array | null,
  bytes: Uint8Array,
  texts: Uint8Array,
): Values {
  switch (form.kind) {
    case 'int': {
      // Exact integers are never asked for of many rows.
      const exact =
        form.bytes === 8 && rowCount === 1 ? { exact: new BigInt64Array(bytes.slice(0, 8).buffer) } : {};
      return { values: integers(bytes, form, rowCount), present, texts: null, ...exact };
    }
    case 'float':
      return { values: new Float64Array(bytes.buffer, bytes.byteOffset, rowCount), present, texts: null };
    case 'bool':
      return { values: bits(bytes, rowCount), present, texts: null };
    case 'code': {
      const values = integers(bytes, { bytes: form.bytes, signed: false }, rowCount);
      return { values, present, texts: form.texts.map((text) => text ?? '') };
    }
    case 'text': {
      const starts = new Uint32Array(bytes.buffer, bytes.byteOffset, rowCount === 0 ? 0 : rowCount + 1);
      return lateTexts({ bytes: texts, starts }, present);
    }
  }
}

/** Texts that are decoded when somebody first asks for them. */
function lateTexts(utf8: TextBytes, present: Uint8Array | null): Values {
  const rowCount = Math.max(0, utf8.starts.length - 1);
  const values = filled(new Uint32Array(rowCount), (row) => row);
  let texts: readonly string[] | null = null;
  return {
    values,
    present,
    utf8,
    get texts() {
      return (texts ??= Array.from(values, (row) => decodedAt(utf8, row)));
    },
  };
}

function integers(
  bytes: Uint8Array,
  { bytes: width, signed }: { readonly bytes: 1 | 2 | 4 | 8; readonly signed: boolean },
  rowCount: number,
): NumberValues {
  const { buffer, byteOffset } = bytes;
  switch (width) {
    case 1:
      return signed
        ? new Int8Array(buffer, byteOffset, rowCount)
        : new Uint8Array(buffer, byteOffset, rowCount);
    case 2:
      return signed
        ? new Int16Array(buffer, byteOffset, rowCount)
        : new Uint16Array(buffer, byteOffset, rowCount);
    case 4:
      return signed
        ? new Int32Array(buffer, byteOffset, rowCount)
        : new Uint32Array(buffer, byteOffset, rowCount);
    case 8:
      return doublesOf(buffer, byteOffset, rowCount);
  }
}

/** By byte: its bits as eight bytes, the lowest bit first. They are copied as one number, so that eight rows take one step. */
const EIGHT_ROWS = new Float64Array(256);
new Uint8Array(EIGHT_ROWS.buffer).forEach((_, at, bytes) => (bytes[at] = ((at >> 3) >> (at & 7)) & 1));

/** A function of its own: code that goes on after a loop would be given up at the end of each loop. */
function spread(packed: Uint8Array, into: Float64Array): void {
  for (let at = 0; at < into.length; at++) into[at] = EIGHT_ROWS[packed[at] ?? 0] ?? 0;
}

/** The bits of rows, each as a byte. */
function bits(packed: Uint8Array, rowCount: number): Uint8Array {
  const rows = new Float64Array(Math.ceil(rowCount / 8));
  spread(packed, rows);
  return new Uint8Array(rows.buffer, 0, rowCount);
}
