export * from './meet.ts';
export * from './open-place.ts';
export * from './page.ts';
export * from './rows.ts';
