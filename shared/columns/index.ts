export * from './arrow-table.ts';
export * from './byte-source.ts';
export * from './column-table.ts';
export * from './columns-error.ts';
