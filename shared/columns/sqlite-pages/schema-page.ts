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

/** A row of `sqlite_schema` (§2.6). */
export interface SchemaEntry {
  readonly kind: 'table' | 'index';
  readonly name: string;
  readonly table: string;
  /** The page that its tree starts from. */
  readonly root: number;
  readonly sql: string;
}

const FILE_HEADER_BYTES = 100;

/** The first page: the header of the database, and the tree of its schema, which must fit. Throws a RangeError where it does not. */
export function makeSchemaPage(entries: readonly SchemaEntry[], pageCount: number): Uint8Array {
  const page = new Uint8Array(PAGE_BYTES);
  putFileHeader(new DataView(page.buffer), pageCount);
  const cells = entries.map((entry, i) => schemaCell(i + 1, entry));
  const cellsBytes = cells.reduce((sum, cell) => sum + cell.length, 0);
  let at = PAGE_BYTES - cellsBytes;
  if (at < FILE_HEADER_BYTES + LEAF_HEADER_BYTES + 2 * cells.length)
    throw new RangeError(`the names of ${entries.length} tables and indexes do not fit on a page`);
  putPageHeader(page, PAGE_KIND.leafTable, cells.length, at, FILE_HEADER_BYTES);
  const view = new DataView(page.buffer);
  cells.forEach((cell, i) => {
    view.setUint16(FILE_HEADER_BYTES + LEAF_HEADER_BYTES + 2 * i, at);
    page.set(cell, at);
    at += cell.length;
  });
  return page;
}

/** §1.3 of the format. */
function putFileHeader(view: DataView, pageCount: number): void {
  new TextEncoder().encodeInto('SQLite format 3\0', new Uint8Array(view.buffer));
  view.setUint16(16, 1); // A page of 65,536 bytes.
  view.setUint8(18, 1); // Written with a rollback journal,
  view.setUint8(19, 1); // and read so.
  view.setUint8(21, 64); // Most, least and leaf shares of a record: fixed.
  view.setUint8(22, 32);
  view.setUint8(23, 32);
  view.setUint32(24, 1); // Changed once,
  view.setUint32(28, pageCount);
  view.setUint32(40, 1);
  view.setUint32(44, 4); // The format of the schema.
  view.setUint32(56, 1); // UTF-8.
  view.setUint32(92, 1); // and the count of pages is of that change.
  view.setUint32(96, 3_040_001); // The version whose format this is.
}

function schemaCell(id: number, { kind, name, table, root, sql }: SchemaEntry): Uint8Array {
  const utf8 = new TextEncoder();
  const [kindText, nameText, tableText, sqlText] = [kind, name, table, sql].map((text) =>
    utf8.encode(text),
  ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const rootText = new Uint8Array(4);
  new DataView(rootText.buffer).setUint32(0, root);
  const values = [kindText, nameText, tableText, rootText, sqlText];
  const serials = values.map((value) => (value === rootText ? SERIAL.int32 : serialOfText(value.length)));
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
