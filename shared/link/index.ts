export * from './address.ts';
export * from './codec.ts';
export * from './compared.ts';
export type { LinkedCard, LinkedDashboard } from './dashboard.ts';
export * from './describe.ts';
export * from './part.ts';
export * from './place.ts';
export * from './state.ts';
