import {
  batchOf,
  lastAtMost,
  type ColumnReader,
  type ColumnTable,
  type ColumnValues,
} from '../column-table.ts';
import { ColumnsError } from '../columns-error.ts';
import {
  bytesKept,
  INTERIOR_HEADER_BYTES,
  LEAF_HEADER_BYTES,
  OVERFLOW_BYTES,
  PAGE_BYTES,
  PAGE_KIND,
  pageNumber,
  putPageHeader,
  putRowid,
  ROWID_BYTES,
} from './format.ts';
import { layLeaves, type Leaves, type LongRow } from './leaves.ts';
import { RecordWriter } from './record-writer.ts';
import { TreeShape } from './tree-shape.ts';

/** Pages that are made on demand, numbered from 0; the last one but for overflow is the root. */
export interface PageMaker {
  readonly pageCount: number;
  /** The root's number among them. */
  readonly root: number;
  /** Makes a page. `base`: which page of the database its first one is, counted as `pageNumber` counts. */
  make(page: number, base: number, out: Uint8Array): void;
}

/**
 * Most children of a page above the leaves. Far fewer than fit: a page above the leaves reads one key for each child, and a
 * search makes one page of each level.
 */
const FANOUT = 256;

/** So many leaves are read ahead where one is asked for after the other. */
const LEAVES_AHEAD = 16;

/** The B-tree of a table's rows, by their ids: the values of the key, or the numbers of the rows, from 0. */
export class TableTree implements PageMaker {
  readonly pageCount: number;
  readonly root: number;
  readonly #table: ColumnTable;
  readonly #key: number;
  readonly #writer: RecordWriter;
  readonly #leaves: Leaves;
  readonly #shape: TreeShape;
  readonly #readers: readonly ColumnReader[];
  readonly #keyReader: ColumnReader | null;
  /** What is loaded: the values of some rows. */
  #loaded = { firstRow: 0, endRow: 0, leaves: 0, values: [] as readonly ColumnValues[] };
  /** The cell that was asked for last of those that overflow. */
  #long: { readonly row: number; readonly cell: Uint8Array } | null = null;

  constructor(table: ColumnTable) {
    this.#table = table;
    this.#key = table.columns.findIndex(({ name }) => name === table.key);
    this.#writer = new RecordWriter(table.columns, this.#key);
    this.#readers = table.columns.map((_, i) => table.openColumn(i));
    this.#keyReader = this.#key < 0 ? null : table.openColumn(this.#key);
    this.#leaves = layLeaves(table, this.#writer, this.#readers);
    this.#shape = new TreeShape(this.#leaves.count, FANOUT);
    const last = this.#leaves.long.at(-1);
    this.root = this.#shape.pageCount - 1;
    this.pageCount = this.#shape.pageCount + (last === undefined ? 0 : last.firstPage + last.pageCount);
  }

  make(page: number, base: number, out: Uint8Array): void {
    if (page >= this.#shape.pageCount) {
      this.#makeOverflow(page - this.#shape.pageCount, base, out);
      return;
    }
    const { level, index } = this.#shape.placeOf(page);
    if (level === 0) this.#makeLeaf(index, base, out);
    else this.#makeInterior(level, index, base, out);
  }

  #makeLeaf(leaf: number, base: number, out: Uint8Array): void {
    const firstRow = this.#leaves.firstRow(leaf);
    const endRow = this.#leaves.firstRow(leaf + 1);
    const { long } = this.#leaves;
    const nextLong = long[lastAtMost(long.length, (i) => long[i]?.row ?? 0, endRow - 1)];
    if (nextLong !== undefined && nextLong.row >= firstRow && nextLong.row < endRow) {
      this.#makeLongLeaf(firstRow, endRow, base, out);
      return;
    }
    const count = endRow - firstRow;
    const from = this.#load(leaf, firstRow, endRow);
    const { values } = this.#loaded;
    this.#checkKey(firstRow, from, count);
    const contentAt = PAGE_BYTES - this.#writer.measure(values, from, count);
    this.#writer.write(values, from, count, firstRow, out, contentAt);
    const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
    for (let i = 0; i < count; i++) view.setUint16(LEAF_HEADER_BYTES + 2 * i, this.#writer.cellAt(i));
    putPageHeader(out, PAGE_KIND.leafTable, count, contentAt);
  }

  /** Loads the rows of a leaf, and of those after it where leaves are asked for in order. Gives where its first row is. */
  #load(leaf: number, firstRow: number, endRow: number): number {
    const loaded = this.#loaded;
    if (firstRow >= loaded.firstRow && endRow <= loaded.endRow) return firstRow - loaded.firstRow;
    const batchNumber = batchOf(this.#table.batches, firstRow);
    const batch = this.#table.batches[batchNumber] ?? { firstRow: 0, rowCount: 0 };
    const inOrder = firstRow === loaded.endRow && loaded.leaves > 0;
    const leaves = inOrder ? Math.min(2 * loaded.leaves, LEAVES_AHEAD) : 1;
    const aheadRow = this.#leaves.long.length > 0 ? endRow : this.#leaves.firstRow(leaf + leaves);
    const end = Math.min(aheadRow, batch.firstRow + batch.rowCount);
    const values = this.#readers.map((reader) =>
      reader.load(batchNumber, firstRow - batch.firstRow, end - batch.firstRow),
    );
    this.#loaded = { firstRow, endRow: end, leaves, values };
    return 0;
  }

  /** A search that meets ids out of order would miss rows without a word. */
  #checkKey(firstRow: number, from: number, count: number): void {
    const column = this.#loaded.values[this.#key];
    if (column?.kind !== 'number') return;
    const { present, values } = column;
    for (let i = from; i < from + count; i++) {
      const high = (values[2 * i + 1] ?? 0) | 0;
      const highBefore = (values[2 * i - 1] ?? 0) | 0;
      const ascends =
        i === from ||
        high > highBefore ||
        (high === highBefore && (values[2 * i] ?? 0) > (values[2 * i - 2] ?? 0));
      if (!ascends || (present !== null && present[i] === 0)) throw this.#wrongKey(firstRow + i - from);
    }
  }

  #wrongKey(row: number): ColumnsError {
    const { file, key } = this.#table;
    return new ColumnsError(
      file,
      null,
      `"${key ?? ''}" to ascend, since it is the key: it does not at row ${row}`,
    );
  }

  /** A leaf with a row that overflows. */
  #makeLongLeaf(firstRow: number, endRow: number, base: number, out: Uint8Array): void {
    const cells: Uint8Array[] = [];
    for (let row = firstRow; row < endRow; row++) {
      const long = this.#longRow(row);
      const cell = this.#cellOf(row);
      if (long === null) {
        cells.push(cell);
        continue;
      }
      const end = this.#writer.prefixBytes + bytesKept(long.recordBytes);
      const kept = new Uint8Array(end + 4);
      kept.set(cell.subarray(0, end));
      new DataView(kept.buffer).setUint32(end, this.#overflowPage(base, long.firstPage));
      cells.push(kept);
    }
    let at = PAGE_BYTES - cells.reduce((sum, cell) => sum + cell.length, 0);
    putPageHeader(out, PAGE_KIND.leafTable, cells.length, at);
    const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
    cells.forEach((cell, i) => {
      view.setUint16(LEAF_HEADER_BYTES + 2 * i, at);
      out.set(cell, at);
      at += cell.length;
    });
  }

  /** A page of what a leaf does not hold of a long row (§1.7). */
  #makeOverflow(page: number, base: number, out: Uint8Array): void {
    const { long } = this.#leaves;
    const found = long[lastAtMost(long.length, (i) => long[i]?.firstPage ?? 0, page)];
    if (found === undefined) throw new RangeError(`no overflow page ${page}`);
    if (this.#long?.row !== found.row) this.#long = { row: found.row, cell: this.#cellOf(found.row) };
    const number = page - found.firstPage;
    const at = this.#writer.prefixBytes + bytesKept(found.recordBytes) + number * OVERFLOW_BYTES;
    const part = this.#long.cell.subarray(at, at + OVERFLOW_BYTES);
    const next = number + 1 < found.pageCount ? this.#overflowPage(base, page + 1) : 0;
    new DataView(out.buffer, out.byteOffset, out.byteLength).setUint32(0, next);
    out.set(part, 4);
    out.fill(0, 4 + part.length);
  }

  #overflowPage(base: number, page: number): number {
    return pageNumber(base + this.#shape.pageCount + page);
  }

  #longRow(row: number): LongRow | null {
    const { long } = this.#leaves;
    const found = long[lastAtMost(long.length, (i) => long[i]?.row ?? 0, row)];
    return found?.row === row ? found : null;
  }

  /** The whole cell of one row, however long. */
  #cellOf(row: number): Uint8Array {
    const batchNumber = batchOf(this.#table.batches, row);
    const at = row - (this.#table.batches[batchNumber]?.firstRow ?? 0);
    const values = this.#readers.map((reader) => reader.load(batchNumber, at, at + 1));
    this.#loaded = { firstRow: row, endRow: row + 1, leaves: 0, values };
    this.#checkKey(row, 0, 1);
    const cell = new Uint8Array(this.#writer.measure(values, 0, 1));
    this.#writer.write(values, 0, 1, row, cell, 0);
    return cell;
  }

  /** A page above the leaves: for each child but the last, its number and the largest id in it (§1.6). */
  #makeInterior(level: number, index: number, base: number, out: Uint8Array): void {
    const { first, end } = this.#shape.children({ level, index });
    const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
    const child = (index: number) => pageNumber(base + this.#shape.pageAt({ level: level - 1, index }));
    const cellBytes = 4 + ROWID_BYTES;
    const count = end - 1 - first;
    const contentAt = PAGE_BYTES - count * cellBytes;
    let before: readonly [number, number] | null = null;
    for (let i = 0; i < count; i++) {
      const row = this.#leaves.firstRow(this.#shape.lastLeaf({ level: level - 1, index: first + i }) + 1) - 1;
      const id = this.#idOf(row);
      if (before !== null && (id[0] < before[0] || (id[0] === before[0] && id[1] <= before[1])))
        throw this.#wrongKey(row);
      before = id;
      const at = contentAt + i * cellBytes;
      view.setUint16(INTERIOR_HEADER_BYTES + 2 * i, at);
      view.setUint32(at, child(first + i));
      putRowid(out, at + 4, id[0], id[1]);
    }
    putPageHeader(out, PAGE_KIND.interiorTable, count, contentAt);
    view.setUint32(8, child(end - 1));
  }

  /** The upper half, signed, and the lower half of a row's id. */
  #idOf(row: number): readonly [number, number] {
    if (this.#keyReader === null) return [Math.floor(row / 2 ** 32), row >>> 0];
    const batchNumber = batchOf(this.#table.batches, row);
    const at = row - (this.#table.batches[batchNumber]?.firstRow ?? 0);
    const column = this.#keyReader.load(batchNumber, at, at + 1);
    if (column.kind !== 'number') throw this.#wrongKey(row);
    return [(column.values[1] ?? 0) | 0, column.values[0] ?? 0];
  }
}
