/**
 * What waits are counted by within their thread, in one number: from the highest bits rank, priority, whether the thread was preempted, and
 * the bin of the length. Rank and priority are one higher; 0 means that none was recorded.
 */
const RANK_SHIFT = 20;
const PRIORITY_SHIFT = 12;
const PREEMPTED_SHIFT = 11;
const RANK_MASK = 511;
const PRIORITY_MASK = 255;
const BIN_MASK = 2047;

/** So many codes ranks and priorities have at most. */
export const RANK_CODES = RANK_MASK + 1;
export const PRIORITY_CODES = PRIORITY_MASK + 1;

/** The code of rank 0; those above 0 have greater ones. */
export const RANK_0_CODE = 1;

/** The key of a wait. Rank and priority as codes: one higher, and 0 for none. */
export function waitKey(rankCode: number, priorityCode: number, preempted: number, bin: number): number {
  return (
    (rankCode << RANK_SHIFT) |
    ((priorityCode & PRIORITY_MASK) << PRIORITY_SHIFT) |
    (preempted << PREEMPTED_SHIFT) |
    bin
  );
}

/** The rank of a key, one higher; 0 if none was recorded. */
export const rankCodeOf = (key: number): number => key >>> RANK_SHIFT;

/** The priority of a key, one higher; 0 if none was recorded. */
export const priorityCodeOf = (key: number): number => (key >>> PRIORITY_SHIFT) & PRIORITY_MASK;

/** The bin of a key: see `binOf`. */
export const binOfKey = (key: number): number => key & BIN_MASK;

/** Filters among keys; null for any. */
export interface KeyFilters {
  readonly rank: number | null;
  readonly priority: number | null;
  readonly cause: 'any' | 'wake' | 'preempted';
}

/** The keys that pass have `bits` in the places of `mask`. */
export function keysThatPass({ rank, priority, cause }: KeyFilters): {
  readonly mask: number;
  readonly bits: number;
} {
  return {
    mask: waitKey(
      rank === null ? 0 : RANK_MASK,
      priority === null ? 0 : PRIORITY_MASK,
      Number(cause !== 'any'),
      0,
    ),
    bits: waitKey(codeOf(rank, RANK_MASK), codeOf(priority, PRIORITY_MASK), Number(cause === 'preempted'), 0),
  };
}

/** The code that is asked for; that of no wait for a number that no wait can have. */
function codeOf(asked: number | null, none: number): number {
  if (asked === null) return 0;
  return Number.isInteger(asked) && asked >= 0 && asked < none - 1 ? asked + 1 : none;
}
