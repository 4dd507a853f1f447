export * from './load-why-late.ts';
export * from './standing.ts';
export * from './use.ts';
export * from './why.ts';
