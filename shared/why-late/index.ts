export * from './load-why-late.ts';
export * from './standing.ts';
export * from './use.ts';
export * from './why.ts';
export { default as boundSql } from './bound.sql';
export { default as heldSql } from './held.sql';
export { default as standingSql } from './standing.sql';
