/** What the page and the worker that reads its tables in columns tell each other. */
import type { ReadBatch, TableInfo, TableName } from '../../shared/tables/index.ts';

/** The Arrow file of a table. */
export interface TableFile {
  readonly table: TableName;
  readonly blob: Blob;
}

/** `open` comes first. Each call has one answer under the same `id`. */
export type ToColumns =
  | { readonly call: 'open'; readonly id: number; readonly files: readonly TableFile[] }
  | { readonly call: 'read'; readonly id: number; readonly which: Parameters<ReadBatch> };

export type FromColumns =
  | { readonly id: number; readonly infos: readonly TableInfo[] }
  | { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly message: string; readonly isRange: boolean };
