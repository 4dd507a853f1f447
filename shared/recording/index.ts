export * from './by-events.ts';
export * from './everything.ts';
export * from './kernel-flags.ts';
export * from './load-recording.ts';
export * from './needs.ts';
export * from './signal.ts';
export * from './signals.ts';
export * from './words.ts';
