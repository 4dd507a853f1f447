import { openArrowTable, type ArrowTable, type ByteSource } from '../columns/index.ts';
import { arrowTables } from './arrow-tables.ts';
import { packBatch, packParts } from './packed-batch.ts';
import type { ColumnInfo, TableInfo } from './table-info.ts';
import type { Stretch, TableName, Tables } from './tables.ts';
import { touchedRows } from './touched-rows.ts';

/** Tables that lie in Arrow files which can be read. */
export interface ArrowSet {
  readonly infos: readonly TableInfo[];
  /** The tables, as models read them. */
  readonly tables: Tables;
  /**
   * Columns of a batch, packed. With `within`, parts of the batch: the rows that these stretches touch, and some others. Throws a
   * `RangeError` for what is not there, a `ColumnsError` for a damaged file.
   */
  read(
    table: TableName,
    batch: number,
    columns: readonly number[],
    within?: readonly Stretch[],
  ): Uint8Array<ArrayBuffer>;
}

/** The tables in the files of `sources`, by their names. Throws a `ColumnsError` for a damaged file. */
export function openArrowSet(sources: ReadonlyMap<TableName, ByteSource>): ArrowSet {
  const opened = [...sources].map(([name, source]) => ({ name, source, table: openArrowTable(source) }));
  const infos = opened.map(({ name, table }) => infoOf(name, table));
  const read: ArrowSet['read'] = (name, batch, columns, within) => {
    const found = opened.find((each) => each.name === name);
    if (found === undefined) throw new RangeError(`the open trace has no table ${name} in columns`);
    const { source, table } = found;
    if (within === undefined) return packBatch(source, table, batch, columns);
    return packParts(source, table, batch, columns, touchedRows(table, batch, within));
  };
  const tables = arrowTables(infos, (...which) => Promise.resolve(read(...which)));
  return { infos, tables, read };
}

function infoOf(name: TableName, table: ArrowTable): TableInfo {
  return {
    name,
    columns: table.columns.map((_, number) => columnInfo(table, number)),
    batches: table.batches.map(({ rowCount, times }) => ({ rowCount, times })),
  };
}

function columnInfo(table: ArrowTable, number: number): ColumnInfo {
  const column = table.columns[number];
  if (column === undefined) throw new RangeError(`no column ${number} in ${table.file}`);
  const { name, type, dictionary } = column;
  const codeBytes = table.codeBytesOf(number);
  if (dictionary === null || codeBytes === null) return { name, form: type };
  const { size, bytes, start, length, present } = dictionary;
  const decoder = new TextDecoder();
  const textAt = (entry: number) =>
    present?.[entry] === 0
      ? null
      : decoder.decode(bytes.subarray(start[entry], (start[entry] ?? 0) + (length[entry] ?? 0)));
  const width = codeBytes === 1 || codeBytes === 2 ? codeBytes : 4;
  return {
    name,
    form: { kind: 'code', bytes: width, texts: Array.from({ length: size }, (_, entry) => textAt(entry)) },
  };
}
