export { Flags, FOR_WORK } from './for-work.ts';
export { eachWaited, loadBlame, type Blame } from './blame.ts';
export { BLAMED_BY, loadBlamed, type Blamed, type BlamedBy } from './blamed.ts';
export { eachBlock, type Block } from './each-block.ts';
export { BY_INTERRUPT, WAKERS } from './wakers.ts';
export * from './delay.ts';
export * from './episodes.ts';
export * from './find-delay.ts';
export * from './handle.ts';
export * from './owner.ts';
export * from './partition.ts';
export * from './sum-blocked.ts';
export * from './sum-groups.ts';
export * from './sum-up.ts';
export * from './words.ts';
export { CountedLengths, LengthCounts } from './length-counts.ts';
export { stretchOfBlock, WAKE_COLUMNS, wakeLengths, wakeParts } from './wakes.ts';
export { waitAt, type History, type WaitRows } from './history.ts';
export type { RowNumbers } from './rows.ts';
export { splitReady, type JudgedBy } from './ready-parts.ts';
export { eachMainReason, type TellReasons } from './ready-sweep/main-reasons.ts';
export { reasonsByRow } from './ready-sweep/reasons-by-row.ts';
export { divideWaits, type TellWait } from './ready-sweep/divide-waits.ts';
export { stretchReader } from './ready-sweep/stretch-reader.ts';
export { readRows } from './read-rows.ts';
export { countBelow, firstWhere, type Rows } from './rows.ts';
export {
  ASSUMPTIONS,
  readMachine,
  whatIf,
  type Change,
  type ReplayedMachine,
  type WhatIf,
} from './replay/what-if.ts';
export { WORST_RANK } from './replay/claim.ts';
export { busyDrivers } from './replay/driver-time.ts';
export { walkBack, type WalksBack } from './walk-back.ts';
