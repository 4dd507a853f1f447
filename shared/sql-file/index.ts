export * from './header.ts';
export * from './limit-rows.ts';
export * from './needs.ts';
export * from './outline.ts';
export * from './parse.ts';
export * from './relations.ts';
export * from './sole-select.ts';
export * from './template.ts';
