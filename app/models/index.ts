export * from './ask-host.ts';
export * from './loader.ts';
export * from './protocol.ts';
export * from './source.ts';
