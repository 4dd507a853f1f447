export * from './load-why-late.ts';
export type { Standing } from './standing.ts';
export * from './why.ts';
export { default as standingSql } from './standing.sql';
