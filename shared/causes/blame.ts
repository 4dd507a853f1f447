import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { asleepIn } from './asleep.ts';
import { BlameStretches, type BlameSums } from './blame-stretches.ts';
import { BlameSweep, type SweepQuestions, type TellWaited } from './blame-sweep.ts';
import { passBlockEvents } from './block-events.ts';
import type { Flags } from './for-work.ts';
import { blocksAround, eventsIn, wokenAcross, type RangeBlocks } from './kept-blocks.ts';

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
 * whose end is after the range does not count. Most waiting comes first; of threads for which others waited or that ran.
 */
export function loadBlame(query: Query, range: Stretch): Promise<readonly Blame[]> {
  return keepBlame(query, `${range.start} ${range.end}`, async () => {
    const { active_ns, blocked_ns } = await sumsOf(query, range);
    const ran_ns = await (await blocksAround(query, range)).ran.within(dataOf(query).tables, range);
    const blames: Blame[] = [];
    for (let utid = 1; utid < Math.max(ran_ns.length, active_ns.length); utid++) {
      const blame = {
        utid,
        active_ns: active_ns[utid] ?? 0,
        blocked_ns: blocked_ns[utid] ?? 0,
        ran_ns: ran_ns[utid] ?? 0,
      };
      if (blame.active_ns + blame.blocked_ns + blame.ran_ns > 0) blames.push(blame);
    }
    return blames.sort(
      (a, b) => b.active_ns + b.blocked_ns - a.active_ns - a.blocked_ns || b.ran_ns - a.ran_ns,
    );
  });
}

/** A few numbers for each thread: what blame is told by needs no more. */
const keepBlame = keepLast<readonly Blame[]>();

/** Blame of a range: by the stretches of the one that is kept, if it is a large part of that. */
async function sumsOf(query: Query, range: Stretch): Promise<BlameSums> {
  const blocks = await blocksAround(query, range);
  const known = stretches.get(blocks);
  if (known !== undefined) return known.sumsIn(range);
  if (2 * eventsIn(blocks, range).length < blocks.events.length) return (await sweepOf(query, range)).sums();
  const made = new BlameStretches(blocks, await asleepIn(dataOf(query).tables, blocks.range));
  stretches.set(blocks, made);
  return made.sumsIn(range);
}

const stretches = new WeakMap<RangeBlocks, BlameStretches>();

/** The sweep of a range. */
export async function sweepOf(query: Query, range: Stretch, asked?: SweepQuestions): Promise<BlameSweep> {
  const blocks = await blocksAround(query, range);
  const asleep = await asleepIn(dataOf(query).tables, range);
  const sweep = new BlameSweep(range, asleep, asked, wokenAcross(blocks, range.start));
  for (const events of eventsIn(blocks, range)) sweep.take(events);
  sweep.finish();
  return sweep;
}

/**
 * Tells how long others waited for each thread in a range, and keeps nothing. `isForWork` has the rows of `etw_ready_wait` whose threads had
 * blocked for work.
 */
export async function eachWaited(
  query: Query,
  range: Stretch,
  isForWork: Flags,
  onWaited: TellWaited,
): Promise<void> {
  const { tables } = dataOf(query);
  const sweep = new BlameSweep(range, await asleepIn(tables, range), { onWaited });
  await passBlockEvents(tables, range, (events) => sweep.take(events), { isForWork });
  sweep.finish();
}
