export type * from './view.ts';
export * from './params.ts';
