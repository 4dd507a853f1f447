export * from './questions.ts';
export * from './source.ts';
export * from './wish.ts';
