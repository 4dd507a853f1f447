export * from './load-moments.ts';
export type { StepPeak } from './moment-columns.ts';
