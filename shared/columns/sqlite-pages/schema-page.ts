import { writtenPage } from './written-page.ts';

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
export function schemaPage(entries: readonly SchemaEntry[], pageCount: number): Uint8Array {
  const rows = entries.map(({ kind, name, table, root, sql }) => [kind, name, table, root, sql]);
  const page = writtenPage(rows, FILE_HEADER_BYTES);
  putFileHeader(page, pageCount);
  return page;
}

/** §1.3 of the format. */
function putFileHeader(page: Uint8Array, pageCount: number): void {
  const view = new DataView(page.buffer);
  page.set(new TextEncoder().encode('SQLite format 3\0'));
  view.setUint16(16, 1); // A page of 65,536 bytes.
  view.setUint8(18, 1); // Written with a rollback journal,
  view.setUint8(19, 1); // and read so.
  view.setUint8(21, 64); // Most, least and leaf shares of a record: fixed.
  view.setUint8(22, 32);
  view.setUint8(23, 32);
  view.setUint32(24, 1); // Changed once,
  view.setUint32(28, pageCount);
  view.setUint32(40, 1); // as was the schema.
  view.setUint32(44, 4); // The format of the schema.
  view.setUint32(56, 1); // UTF-8.
  view.setUint32(92, 1); // The count of pages is of that change.
  view.setUint32(96, 3_040_001); // A version that writes this format.
}
