export * from './engine.ts';
export type * from './result.ts';
