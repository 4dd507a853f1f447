export * from './thread-names.ts';
