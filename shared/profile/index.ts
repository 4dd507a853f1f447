export * from './call-runs.ts';
export * from './calls-around.ts';
export * from './functions.ts';
export * from './grouper.ts';
export * from './hot-loops.ts';
export * from './label-places.ts';
export * from './pick.ts';
export * from './sum-calls.ts';
