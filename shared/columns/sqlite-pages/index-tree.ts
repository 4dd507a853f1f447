import type { Column, ColumnTable, ColumnType } from '../column-table.ts';
import { ascendingEntries } from './ascending-entries.ts';
import {
  INTERIOR_HEADER_BYTES,
  LEAF_HEADER_BYTES,
  PAGE_BYTES,
  PAGE_KIND,
  pageNumber,
  putPageHeader,
  putVarint,
  SERIAL,
  serialOfText,
  varintBytes,
} from './format.ts';
import { widthOf } from './record-writer.ts';
import { sortedEntries } from './sorted-entries.ts';
import type { PageMaker } from './table-tree.ts';
import { TreeShape } from './tree-shape.ts';

const FANOUT_MAX = 256;
/** The longest text of a column that an index is for. Such an entry is whole on its page (§1.6, "X" of an index). */
export const INDEXED_BYTES_MAX = 1024;
const ROWID_BYTES = 8;

/** Entries of an index in its order: values, and the ids of their rows. */
export interface Entries {
  /** How many of these have null: they come first. */
  readonly nullCount: number;
  /** The bits of each value: upper and lower half. For a text `low` is an entry of the dictionary. */
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly idHigh: Int32Array;
  readonly idLow: Uint32Array;
}

/**
 * The B-tree of an index on one column (§1.6, §2.5). Of a column that ascends from row to row, each page reads the rows that it shows, and
 * nothing is kept. Of any other the rows are sorted when the first of its pages is made, and their order is kept.
 */
export class IndexTree implements PageMaker {
  readonly pageCount: number;
  readonly root: number;
  readonly #table: ColumnTable;
  readonly #column: Column;
  readonly #shape: TreeShape;
  readonly #rowsOfLeaf: number;
  readonly #entriesAt: (places: readonly number[]) => Entries;

  /**
   * Throws a RangeError for a column that there is not, that has texts without a dictionary or very long ones, or that cannot ascend
   * where `ascends` says so: one of other values than integers of 8 bytes.
   */
  constructor(table: ColumnTable, name: string, ascends: boolean) {
    this.#table = table;
    const number = table.columns.findIndex((column) => column.name === name);
    const column = table.columns[number];
    if (column === undefined) throw new RangeError(`${table.file}: no column "${name}" for an index`);
    this.#column = column;
    if (ascends && (column.type.kind !== 'int' || column.type.bytes !== 8 || !column.type.signed))
      throw new RangeError(`${table.file}: column "${name}" is no column of Int64, and cannot ascend`);
    this.#entriesAt = (ascends ? ascendingEntries : sortedEntries)(table, number);
    const isText = column.type.kind === 'text';
    const longestBytes = isText ? (column.dictionary?.longestBytes ?? Infinity) : 0;
    if (longestBytes > INDEXED_BYTES_MAX)
      throw new RangeError(`${table.file}: column "${name}" can have no index: its texts are not bounded`);
    // An entry's length, that of its header, the value's type, the id's; the value and the id.
    const serialBytesMax = isText ? varintBytes(serialOfText(longestBytes)) : 1;
    const recordBytesMax = 1 + serialBytesMax + 1 + longestBytes + widthOf(column.type).bytes + ROWID_BYTES;
    const cellBytesMax = varintBytes(recordBytesMax) + recordBytesMax;
    this.#rowsOfLeaf = Math.floor((PAGE_BYTES - LEAF_HEADER_BYTES) / (cellBytesMax + 2));
    const fanout = Math.floor((PAGE_BYTES - INTERIOR_HEADER_BYTES) / (cellBytesMax + 4 + 2));
    // Between two leaves one entry stands above them.
    const leaves = Math.max(Math.ceil((table.rowCount + 1) / (this.#rowsOfLeaf + 1)), 1);
    this.#shape = new TreeShape(leaves, Math.min(fanout, FANOUT_MAX));
    this.pageCount = this.#shape.pageCount;
    this.root = this.pageCount - 1;
  }

  make(page: number, base: number, out: Uint8Array): void {
    const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
    const { level, index } = this.#shape.placeOf(page);
    if (level === 0) {
      const first = index === 0 ? 0 : this.#placeAfter(index - 1) + 1;
      const count = this.#placeAfter(index) - first;
      const places = Array.from({ length: count }, (_, i) => first + i);
      const contentAt = this.#putEntries(places, LEAF_HEADER_BYTES, 0, out, view);
      putPageHeader(out, PAGE_KIND.leafIndex, count, contentAt);
      return;
    }
    const children = this.#shape.children({ level, index });
    const below = (child: number) => ({ level: level - 1, index: child });
    const child = (number: number) => pageNumber(base + this.#shape.pageAt(below(number)));
    const count = children.end - 1 - children.first;
    const places = Array.from({ length: count }, (_, i) =>
      this.#placeAfter(this.#shape.lastLeaf(below(children.first + i))),
    );
    const contentAt = this.#putEntries(places, INTERIOR_HEADER_BYTES, 4, out, view);
    for (let i = 0; i < count; i++)
      view.setUint32(view.getUint16(INTERIOR_HEADER_BYTES + 2 * i), child(children.first + i));
    putPageHeader(out, PAGE_KIND.interiorIndex, count, contentAt);
    view.setUint32(8, child(children.end - 1));
  }

  /** The place, in the order, of the entry after a leaf, which stands above it; after the last leaf: their number. */
  #placeAfter(leaf: number): number {
    const { rowCount } = this.#table;
    if (leaf >= this.#shape.leafCount - 1) return rowCount;
    const place = (leaf + 1) * (this.#rowsOfLeaf + 1) - 1;
    // The last leaf may not be empty: it takes one from the leaf before.
    return Math.min(place, rowCount - 2);
  }

  /** Writes the entries of some places, which ascend, with `before` bytes free before each. Gives where the first one is. */
  #putEntries(
    places: readonly number[],
    listAt: number,
    before: number,
    out: Uint8Array,
    view: DataView,
  ): number {
    const { nullCount, high, low, idHigh, idLow } = this.#entriesAt(places);
    const { type, dictionary } = this.#column;
    const { bytes: width } = widthOf(type);
    let at = PAGE_BYTES;
    // From the end on, since the length of entries is known only one by one.
    for (let i = places.length - 1; i >= 0; i--) {
      const isNull = i < nullCount;
      const lower = low[i] ?? 0;
      const textBytes = dictionary === null || isNull ? 0 : (dictionary.length[lower] ?? 0);
      const valueBytes = isNull ? 0 : width + textBytes;
      // Here each integer has its shortest form: SQLite reckons with it where it compares entries.
      const valueSerial = isNull ? SERIAL.null : serialOf(type, lower, textBytes);
      const serialBytes = varintBytes(valueSerial);
      const headerBytes = 1 + serialBytes + 1;
      const recordBytes = headerBytes + valueBytes + ROWID_BYTES;
      const lengthBytes = varintBytes(recordBytes);
      at -= before + lengthBytes + recordBytes;
      view.setUint16(listAt + 2 * i, at);
      let next = at + before;
      putVarint(out, next, recordBytes, lengthBytes);
      next += lengthBytes;
      out[next] = headerBytes;
      putVarint(out, next + 1, valueSerial, serialBytes);
      out[next + 1 + serialBytes] = SERIAL.int64;
      next += headerBytes;
      if (!isNull && dictionary !== null) {
        const start = dictionary.start[lower] ?? 0;
        for (let j = 0; j < textBytes; j++) out[next + j] = dictionary.bytes[start + j] ?? 0;
      } else if (!isNull) putNumber(view, next, width, high[i] ?? 0, lower);
      next += valueBytes;
      view.setInt32(next, idHigh[i] ?? 0);
      view.setUint32(next + 4, idLow[i] ?? 0);
    }
    return at;
  }
}

function serialOf(type: ColumnType, value: number, textBytes: number): number {
  if (type.kind === 'text') return serialOfText(textBytes);
  return type.kind === 'bool' ? SERIAL.zero + value : widthOf(type).serial;
}

/** Writes the lower `bytes` bytes of a number, big-endian. */
function putNumber(view: DataView, at: number, bytes: number, high: number, low: number): void {
  for (let i = 0; i < bytes; i++) {
    const shift = 8 * (bytes - 1 - i);
    view.setUint8(at + i, shift >= 32 ? high >>> (shift - 32) : low >>> shift);
  }
}
