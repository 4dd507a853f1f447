export * from './message.ts';
export * from './format.ts';
export * from './cell.ts';
export * from './read-time.ts';
export * from './file-name.ts';
export * from './nearest-name.ts';
export * from './rows.ts';
