export type { AnchoringQuestion } from './anchoring.ts';
export * from './ask-host.ts';
export type { BuildingQuestion } from './building.ts';
export type { ComparingQuestion } from './comparing.ts';
export * from './loader.ts';
export * from './protocol.ts';
export * from './source.ts';
