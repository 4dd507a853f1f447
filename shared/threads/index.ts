export * from './attention.ts';
export * from './known-threads.ts';
export * from './labels.ts';
export * from './lives.ts';
export * from './processes.ts';
export * from './services.ts';
export * from './thread-names.ts';
export * from './user-lock.ts';
