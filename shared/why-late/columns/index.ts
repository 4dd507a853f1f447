export * from './before.ts';
export * from './estimates.ts';
export * from './judge-ranks.ts';
export { loadMachine, type Bound, type Hold, type Machine } from './machine.ts';
export * from './meanwhile.ts';
export type { RanSum } from './ran-sums.ts';
export type { Sources } from './sources.ts';
export { readWait, wasSwappedOut, type Wait } from './wait.ts';
export { loadCpuRecord, type CpuRecord } from './record.ts';
