export * from './estimates.ts';
export type { Sources } from './sources.ts';
export type { Wait } from './wait.ts';
