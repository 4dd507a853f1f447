import { openArrowTable } from '../columns/arrow-table.ts';
import type { ByteSource, OpenSource } from '../columns/byte-source.ts';
import { sqliteDatabase } from '../columns/sqlite-pages/index.ts';
import { withLengths } from '../columns/with-lengths.ts';
import { withNumbers } from '../columns/with-numbers.ts';
import { withPaths } from '../columns/with-paths.ts';
import { messageOf } from '../model/message.ts';
import { EngineError, type ColumnsFile } from './engine.ts';

/** The table that has the paths of files by their keys. */
const FILES = 'etw_file';

/** Files of columns that are open, and the database that they make. */
export interface LentColumns {
  readonly database: ByteSource;
  close(): void;
}

/**
 * Opens files of columns, each by `open`. Those beside a trace have the columns that SQL on the trace has. Throws an {@link EngineError} of
 * kind `load`, and leaves none open then.
 */
export function lendColumns(
  files: readonly ColumnsFile[],
  open: (path: string) => OpenSource,
  isBesideTrace = false,
): LentColumns {
  const sources: OpenSource[] = [];
  const close = () => sources.forEach((source) => source.close());
  try {
    const tables = files.map(({ table: name, path, indexes = [], ranges = [], numbered }) => {
      const source = open(path);
      sources.push(source);
      const table = withLengths(openArrowTable(source));
      if (numbered === undefined) return { name, table, indexes, ranges };
      return table.columns.some((column) => column.name === numbered)
        ? { name, table, indexes: [...indexes, numbered], ranges }
        : { name, table: withNumbers(table, numbered), indexes, ranges };
    });
    const paths = isBesideTrace ? tables.find(({ name }) => name === FILES)?.table : undefined;
    const shown = tables.map((lent) =>
      paths === undefined || lent.name === FILES ? lent : { ...lent, table: withPaths(lent.table, paths) },
    );
    return { database: sqliteDatabase('facts', shown), close };
  } catch (error) {
    close();
    throw new EngineError('load', messageOf(error));
  }
}
