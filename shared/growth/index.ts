export * from './exponent.ts';
export * from './fit.ts';
export * from './growth.ts';
