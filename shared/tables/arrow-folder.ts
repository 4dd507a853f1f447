import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import { openArrowTable, type ArrowTable } from '../columns/index.ts';
import { openFileSource, type FileSource } from '../columns/file-source.ts';
import type { ColumnsFile } from '../engine/index.ts';
import { packBatch } from './packed-batch.ts';
import type { ColumnInfo, TableInfo } from './table-info.ts';
import { TABLE_NAMES, type TableName } from './tables.ts';

/** The tables of a folder of Arrow files, open until {@link ArrowFolder.close}. Needs Node. */
export interface ArrowFolder {
  readonly infos: readonly TableInfo[];
  /** The files, as an engine is lent them. */
  readonly files: readonly ColumnsFile[];
  /** Columns of a batch, packed. Throws a `RangeError` for what is not there, a `ColumnsError` for a damaged file. */
  read(table: TableName, batch: number, columns: readonly number[]): Uint8Array<ArrayBuffer>;
  close(): void;
}

/** The columns that SQL looks rows of a table up by. */
const LOOKUPS: Readonly<Record<string, readonly string[]>> = {
  etw_process: ['upid', 'pid'],
  etw_ready_wait: ['utid'],
  etw_run: ['utid'],
  etw_thread: ['utid', 'tid', 'upid'],
};

/** What lasts stands in the order of its ends: these ascend. */
const LASTING: ColumnsFile['ranges'] = [
  { column: 'ts', ascends: false },
  { column: 'te', ascends: true },
];

/** The times that SQL looks stretches of a table up by. */
const RANGES: Readonly<Record<string, ColumnsFile['ranges']>> = {
  etw_interrupt: [{ column: 'ts', ascends: false }],
  etw_ready_wait: LASTING,
  etw_run: LASTING,
};

/** The file of a table, as an engine is lent it. */
export function lentFile(table: string, path: string): ColumnsFile {
  return { table, path, indexes: LOOKUPS[table], ranges: RANGES[table] };
}

/** Opens the tables in `folder`, a file each. Throws a `ColumnsError` for a damaged file, and leaves none open then. */
export function openArrowFolder(folder: string): ArrowFolder {
  const files = new Set(readdirSync(folder));
  const opened = new Map<TableName, { readonly source: FileSource; readonly table: ArrowTable }>();
  const close = () => opened.forEach(({ source }) => source.close());
  try {
    for (const name of TABLE_NAMES) {
      if (!files.has(`${name}.arrow`)) continue;
      const source = openFileSource(join(folder, `${name}.arrow`));
      try {
        opened.set(name, { source, table: openArrowTable(source) });
      } catch (error) {
        source.close();
        throw error;
      }
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    infos: [...opened].map(([name, { table }]) => infoOf(name, table)),
    files: [...opened.keys()].map((name) => lentFile(name, join(folder, `${name}.arrow`))),
    read(name, batch, columns) {
      const found = opened.get(name);
      if (found === undefined) throw new RangeError(`no table ${name} in ${folder}`);
      return packBatch(found.source, found.table, batch, columns);
    },
    close,
  };
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
