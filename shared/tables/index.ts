export * from './arrow-tables.ts';
export * from './grown.ts';
export * from './pair-numbers.ts';
export * from './row-seeker.ts';
export * from './sql-tables.ts';
export * from './table-info.ts';
export * from './tables.ts';
export * from './trace-data.ts';
