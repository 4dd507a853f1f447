import { openArrowTable } from '../columns/arrow-table.ts';
import type { ByteSource, OpenSource } from '../columns/byte-source.ts';
import { sqliteDatabase } from '../columns/sqlite-pages/index.ts';
import { withLengths } from '../columns/with-lengths.ts';
import { messageOf } from '../model/message.ts';
import { EngineError, type ColumnsFile } from './engine.ts';

/** Files of columns that are open, and the database that they make. */
export interface LentColumns {
  readonly database: ByteSource;
  close(): void;
}

/** Opens the files of columns beside a trace, each by `open`. Throws an {@link EngineError} of kind `load`, and leaves none open then. */
export function lendColumns(files: readonly ColumnsFile[], open: (path: string) => OpenSource): LentColumns {
  const sources: OpenSource[] = [];
  const close = () => sources.forEach((source) => source.close());
  try {
    const tables = files.map(({ table: name, path, indexes = [], ranges = [] }) => {
      const source = open(path);
      sources.push(source);
      return { name, table: withLengths(openArrowTable(source)), indexes, ranges };
    });
    return { database: sqliteDatabase('facts', tables), close };
  } catch (error) {
    close();
    throw new EngineError('load', messageOf(error));
  }
}
