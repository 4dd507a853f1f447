export * from './filter.ts';
export * from './talk.ts';
