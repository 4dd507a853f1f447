export type * from './view.ts';
export * from './marks.ts';
export * from './params.ts';
