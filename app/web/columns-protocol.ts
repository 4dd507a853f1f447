import type { Call } from '../../shared/border/index.ts';
import type { ReadBatch, TableInfo, TableName } from '../../shared/tables/index.ts';

/** The Arrow file of a table. */
export interface TableFile {
  readonly table: TableName;
  readonly blob: Blob;
}

/** What the worker answers that reads tables in columns. `open` comes first. */
export interface ColumnsCalls {
  open: Call<readonly TableFile[], readonly TableInfo[]>;
  read: Call<Parameters<ReadBatch>, Uint8Array>;
}
