export * from './services.ts';
export * from './thread-names.ts';
