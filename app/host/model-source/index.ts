export * from './ask-host.ts';
export * from './questions.ts';
export * from './source.ts';
