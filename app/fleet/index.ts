export { addTrace, storeTrace, type Added, type AddReport, type Adding } from './lake/add.ts';
export { checkLake, removeAbandoned, removeDamaged, type CheckReport } from './lake/check.ts';
export { compactLake, type CompactReport } from './lake/compact.ts';
export { startDuckDB } from './lake/duckdb.ts';
export { findTrace, forgetTrace } from './lake/forget.ts';
export { Lake, type Listing, type ListedTrace } from './lake/lake.ts';
export { LakeError } from './lake/lake-error.ts';
export { LakeReader } from './lake/reader.ts';
