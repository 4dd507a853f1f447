export * from './bounds.ts';
export * from './compare.ts';
export type { Matched, Step } from './match.ts';
export * from './measure.ts';
export type { RecordingDifference } from './recorded.ts';
