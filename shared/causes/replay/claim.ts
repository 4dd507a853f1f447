/** The worst rank that an event can hold: a byte. */
export const WORST_RANK = 255;

/** More than Windows has. */
const PRIORITIES = 64;
const RANKS = WORST_RANK + 1;

/** Who goes first, as a whole number: lower ones do. By rank, lower ones first, then by priority, higher ones first. */
export function claimOf(rank: number, priority: number): number {
  return within(rank, RANKS) * PRIORITIES - within(priority, PRIORITIES);
}

/** A claim with another rank. */
export function withRank(claim: number, rank: number): number {
  return claimOf(rank, priorityOf(claim));
}

/** A claim with another priority. */
export function withPriority(claim: number, priority: number): number {
  return claimOf((claim + priorityOf(claim)) / PRIORITIES, priority);
}

function priorityOf(claim: number): number {
  return -claim & (PRIORITIES - 1);
}

/** A damaged file may hold any number, and each claim has a queue. */
function within(value: number, count: number): number {
  return Math.max(0, Math.min(value, count - 1));
}
