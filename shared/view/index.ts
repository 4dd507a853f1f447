export type * from './view.ts';
export type * from './extra-track.ts';
export * from './markdown.ts';
export * from './marks.ts';
export * from './params.ts';
export * from './still.ts';
