import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { asleepIn } from './asleep.ts';
import { BlameSweep, type SweepQuestions } from './blame-sweep.ts';

/** How long others waited for a thread, all waits together. */
export interface Blame {
  readonly utid: number;
  /** While it ran or was ready. */
  readonly active_ns: number;
  /** While it was blocked itself, with no thread behind: for a disk, a timer, an interrupt. */
  readonly blocked_ns: number;
  /** CPU time that it used itself. */
  readonly ran_ns: number;
}

/**
 * Who made others wait in a range: each ns that a thread was blocked until another one woke it goes to one thread, the one at the end
 * of the chain of wakes, as in a partition. Waits for work do not count by themselves, and hand on the waits of others. A wait
 * whose end is after the range does not count.
 */
export function loadBlame(query: Query, range: Stretch): Promise<readonly Blame[]> {
  return keepBlame(query, `${range.start} ${range.end}`, async () => (await sweepOf(query, range)).sums());
}

/** A few numbers for each thread: what blame is told by needs no more. */
const keepBlame = keepLast<readonly Blame[]>();

/** The sweep of a range. */
export async function sweepOf(query: Query, range: Stretch, asked?: SweepQuestions): Promise<BlameSweep> {
  const { tables } = dataOf(query);
  return BlameSweep.of(tables, range, await asleepIn(tables, range), asked);
}
