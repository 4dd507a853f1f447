export type { ColumnRegions, Region } from './arrow-batch.ts';
export { fillExactly } from './arrow-footer.ts';
export * from './arrow-table.ts';
export * from './byte-source.ts';
export * from './column-table.ts';
export * from './columns-error.ts';
export * from './with-lengths.ts';
export * from './with-numbers.ts';
export * from './with-paths.ts';
