export { eachActivity } from './activities.ts';
export * from './find-text.ts';
export * from './load-events.ts';
export * from './shape.ts';
