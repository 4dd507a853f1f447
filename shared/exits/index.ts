export * from './exit-waits.ts';
export * from './load-exits.ts';
export * from './queues.ts';
