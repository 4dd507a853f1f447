export * from './load-moments.ts';
export * from './sum-moments.ts';
