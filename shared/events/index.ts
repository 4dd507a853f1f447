export * from './find-text.ts';
export * from './load-events.ts';
export { activityIds } from './shape-search.ts';
export * from './shape.ts';
