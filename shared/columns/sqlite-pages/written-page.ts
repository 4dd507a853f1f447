import {
  LEAF_HEADER_BYTES,
  PAGE_BYTES,
  PAGE_KIND,
  putPageHeader,
  putVarint,
  SERIAL,
  serialOfText,
  varintBytes,
} from './format.ts';

/**
 * A page that holds a whole small table. Its rows are texts, whole numbers below 2^31 and nulls; their ids count from 1. Throws
 * a RangeError where they do not fit. `headerAt`: where the page's header begins, 100 on the first page.
 */
export function writtenPage(
  rows: readonly (readonly (string | number | null)[])[],
  headerAt = 0,
): Uint8Array {
  const page = new Uint8Array(PAGE_BYTES);
  const cells = rows.map((row, i) => cellOf(i + 1, row));
  const listAt = headerAt + LEAF_HEADER_BYTES;
  let at = PAGE_BYTES - cells.reduce((sum, cell) => sum + cell.length, 0);
  if (at < listAt + 2 * cells.length)
    throw new RangeError(`what is said of tables and indexes (${cells.length} rows) does not fit on a page`);
  putPageHeader(page, PAGE_KIND.leafTable, cells.length, at, headerAt);
  const view = new DataView(page.buffer);
  cells.forEach((cell, i) => {
    view.setUint16(listAt + 2 * i, at);
    page.set(cell, at);
    at += cell.length;
  });
  return page;
}

function cellOf(id: number, row: readonly (string | number | null)[]): Uint8Array {
  const values = row.map(bytesOf);
  const serials = row.map((value, i) => {
    if (value === null) return SERIAL.null;
    return typeof value === 'number' ? SERIAL.int32 : serialOfText(values[i]?.length ?? 0);
  });
  const serialsBytes = serials.reduce((sum, serial) => sum + varintBytes(serial), 0);
  const headerBytes = serialsBytes + 1 <= 127 ? serialsBytes + 1 : serialsBytes + 2;
  const recordBytes = values.reduce((sum, value) => sum + value.length, headerBytes);

  const cell = new Uint8Array(varintBytes(recordBytes) + varintBytes(id) + recordBytes);
  let at = 0;
  for (const value of [recordBytes, id, headerBytes, ...serials]) {
    putVarint(cell, at, value, varintBytes(value));
    at += varintBytes(value);
  }
  for (const value of values) {
    cell.set(value, at);
    at += value.length;
  }
  return cell;
}

function bytesOf(value: string | number | null): Uint8Array {
  if (typeof value === 'string') return new TextEncoder().encode(value);
  if (value === null) return new Uint8Array(0);
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value);
  return bytes;
}
