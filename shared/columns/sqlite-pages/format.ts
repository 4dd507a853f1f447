/** What the file format of SQLite fixes, and how its numbers are written: https://www.sqlite.org/fileformat2.html */

/** Bytes of a page: the most that the format knows. None are reserved, so that all of them are usable. */
export const PAGE_BYTES = 65_536;

/** The kinds of B-tree pages (§1.6). */
export const PAGE_KIND = { interiorIndex: 2, interiorTable: 5, leafIndex: 10, leafTable: 13 } as const;

/** Bytes of the header of a B-tree page. */
export const LEAF_HEADER_BYTES = 8;
export const INTERIOR_HEADER_BYTES = 12;

/** Serial types of a record (§2.1). A text of n bytes is 13 + 2n; integers are big-endian. */
export const SERIAL = {
  null: 0,
  int8: 1,
  int16: 2,
  int24: 3,
  int32: 4,
  int48: 5,
  int64: 6,
  float: 7,
  zero: 8,
} as const;
export const serialOfText = (bytes: number) => 13 + 2 * bytes;

/** The most bytes of a record that a leaf of a table holds whole (§1.6, "X" of a table leaf). */
export const RECORD_BYTES_WHOLE = PAGE_BYTES - 35;
/** Bytes of a record on each page that it overflows to; the other four hold the number of the next. */
export const OVERFLOW_BYTES = PAGE_BYTES - 4;

/** So many bytes of a larger record stay on the leaf (§1.6, "K" and "M"). */
export function bytesKept(recordBytes: number): number {
  const least = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;
  const kept = least + ((recordBytes - least) % OVERFLOW_BYTES);
  return kept <= RECORD_BYTES_WHOLE ? kept : least;
}

/** The page of the lock bytes, at 1 GiB, which holds nothing (§1.4). */
const LOCK_PAGE = 2 ** 30 / PAGE_BYTES + 1;

/** The number of the `index`-th page that can hold something, from 0. */
export const pageNumber = (index: number) => (index + 1 < LOCK_PAGE ? index + 1 : index + 2);

/** The index of a page number, as {@link pageNumber} counts; null for the page of the lock bytes. */
export function pageIndex(number: number): number | null {
  if (number === LOCK_PAGE) return null;
  return number < LOCK_PAGE ? number - 1 : number - 2;
}

/** How many bytes a variable-length integer takes that is at most `value`. */
export function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}

/**
 * Writes a variable-length integer below 2^35 in exactly `bytes` bytes, with leading zeros (0x80), which readers of a
 * table take as they take the shortest form: so that where things are does not hang on their values.
 */
export function putVarint(out: Uint8Array, at: number, value: number, bytes: number): void {
  let rest = value;
  out[at + bytes - 1] = rest & 0x7f;
  for (let i = bytes - 2; i >= 0; i--) {
    rest = rest > 0x7fff_ffff ? Math.floor(rest / 128) : rest >>> 7;
    out[at + i] = (rest & 0x7f) | 0x80;
  }
}

/** Bytes of a row's id as {@link putRowid} writes it. */
export const ROWID_BYTES = 9;

/** Writes a whole integer of 64 bits, given as halves, as a variable-length integer of 9 bytes. */
export function putRowid(out: Uint8Array, at: number, high: number, low: number): void {
  out[at] = (high >>> 25) | 0x80;
  out[at + 1] = (high >>> 18) | 0x80;
  out[at + 2] = (high >>> 11) | 0x80;
  out[at + 3] = (high >>> 4) | 0x80;
  out[at + 4] = (high << 3) | (low >>> 29) | 0x80;
  out[at + 5] = (low >>> 22) | 0x80;
  out[at + 6] = (low >>> 15) | 0x80;
  out[at + 7] = (low >>> 8) | 0x80;
  out[at + 8] = low;
}

/** Writes the header of a B-tree page, and zeros between its list of cells and its cells. `at` is 100 on the first page. */
export function putPageHeader(
  page: Uint8Array,
  kind: (typeof PAGE_KIND)[keyof typeof PAGE_KIND],
  cellCount: number,
  contentAt: number,
  at = 0,
): void {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  page[at] = kind;
  view.setUint16(at + 1, 0);
  view.setUint16(at + 3, cellCount);
  // 65,536 is written as 0.
  view.setUint16(at + 5, contentAt & 0xffff);
  page[at + 7] = 0;
  const interior = kind === PAGE_KIND.interiorIndex || kind === PAGE_KIND.interiorTable;
  page.fill(0, at + (interior ? INTERIOR_HEADER_BYTES : LEAF_HEADER_BYTES) + 2 * cellCount, contentAt);
}
