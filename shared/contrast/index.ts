export * from './contrast.ts';
export { SIDE_LABELS, type Side } from './sides.ts';
export type { Groups } from './pick-episodes.ts';
export type { Lengths } from './pick-from.ts';
