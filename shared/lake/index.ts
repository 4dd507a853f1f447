export * from './filter.ts';
export * from './read.ts';
export * from './talk.ts';
