export * from './cell.ts';
export * from './engine.ts';
export type * from './result.ts';
export { BindError, bindSql, makeQuery, parametersOf } from './bind.ts';
export { connectEngine, type EnginePort } from './client.ts';
export { decodeQueryResult } from './decode.ts';
export { GrowingResult } from './growing-result.ts';
export { halvesOf, realsOf } from './repeated.ts';
export { TableBuilder, type TablesProgress } from './table-builder.ts';
