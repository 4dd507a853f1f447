export * from './event-stacks.ts';
export * from './label.ts';
export * from './load-calls.ts';
export * from './load-samples.ts';
export * from './sum-by-place.ts';
