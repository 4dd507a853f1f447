export * from './header.ts';
export * from './limit-rows.ts';
export * from './needs.ts';
export * from './parse.ts';
export * from './sole-select.ts';
export * from './template.ts';
