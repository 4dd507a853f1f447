export { sqliteDatabase, type DatabaseTable } from './database.ts';
export { INDEXED_BYTES_MAX } from './index-tree.ts';
