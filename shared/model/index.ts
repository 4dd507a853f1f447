export * from './format.ts';
export * from './cell.ts';
