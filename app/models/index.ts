export type { AnchoringQuestion } from './anchoring.ts';
export type { BuildingQuestion } from './building.ts';
export type { ComparingQuestion } from './comparing.ts';
export * from './loader.ts';
