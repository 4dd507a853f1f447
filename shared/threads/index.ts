export * from './attention.ts';
export * from './services.ts';
export * from './thread-names.ts';
