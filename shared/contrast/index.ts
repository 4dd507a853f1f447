export * from './contrast.ts';
export { SIDE_LABELS, type Side } from './sides.ts';
export type { Groups, Lengths } from './pick-episodes.ts';
