import type { Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { asleepIn, outside } from './asleep.ts';
import { FOR_WORK, loadBlocked, type Blocked } from './blocked.ts';
import type { Span } from './stretches.ts';

/** Which blocks are summed. */
export interface BlockedFilter {
  readonly range: Stretch;
  /** The threads that were blocked; null for all. */
  readonly utids: ReadonlySet<number> | null;
  /** Whether waits for work count (`WrQueue`, `WrLpcReceive`), in which nobody waits. */
  readonly withWork: boolean;
}

/** The stack of each block: that of an event at one of its times, as its innermost call; −1 for none. */
export interface BlockStacks {
  readonly at: 'in_ts' | 'te';
  readonly stackAt: (ts: number) => number;
}

/** The blocks of one thread with one wait reason, one waker and one stack, as far as they lie in the range. */
export interface BlockedGroup {
  readonly utid: number;
  readonly reason: string | null;
  /** As in {@link Blocked}. */
  readonly waker: number;
  /** The innermost call of its stack; −1 for none. */
  readonly callsite: number;
  ns: number;
  count: number;
  /** The longest, as a whole. */
  longest_ts: number;
  longest_ns: number;
}

/** The sums of blocks. */
export interface BlockedSums {
  readonly groups: readonly BlockedGroup[];
  /** Time of waits for work that was left out. */
  readonly work_ns: number;
}

/** More than there are threads or reasons: so two numbers are one that stays exact. */
const APART = 1 << 22;

/** Sums blocks by thread, wait reason, waker and, where they are given, stacks. Time in which the machine slept does not count. */
export async function loadBlockedSums(
  query: Query,
  filter: BlockedFilter,
  stacks: BlockStacks | null,
): Promise<BlockedSums> {
  const [blocked, asleep] = [await loadBlocked(query), await asleepIn(dataOf(query).outline, filter.range)];
  return sumBlocks(blocked, filter, asleep, stacks);
}

function sumBlocks(
  blocked: Blocked,
  { range, utids, withWork }: BlockedFilter,
  asleep: readonly Span[],
  stacks: BlockStacks | null,
): BlockedSums {
  const isForWork = blocked.reasons.map((reason) => FOR_WORK.has(reason ?? ''));
  const groups = new Map<number, Map<number, BlockedGroup>>();
  let work_ns = 0;
  for (let block = 0; block < blocked.count; block++) {
    const [from, to] = [blocked.ts[block] ?? 0, blocked.te[block] ?? 0];
    const [ts, te] = [Math.max(from, range.start), Math.min(to, range.end)];
    const utid = blocked.utid[block] ?? 0;
    if (ts >= te || utids?.has(utid) === false) continue;
    const ns = outside(ts, te, asleep);
    const reason = blocked.reason[block] ?? 0;
    if (!withWork && isForWork[reason] === true) {
      work_ns += ns;
      continue;
    }
    const waker = blocked.waker[block] ?? 0;
    const callsite = stacks === null ? -1 : stacks.stackAt(blocked[stacks.at][block] ?? NaN);
    const [own, other] = [utid * 256 + reason, (callsite + 1) * APART + waker + 3];
    const ofThread = groups.get(own) ?? new Map<number, BlockedGroup>();
    if (ofThread.size === 0) groups.set(own, ofThread);
    let group = ofThread.get(other);
    if (group === undefined) {
      const named = { utid, reason: blocked.reasons[reason] ?? null, waker, callsite };
      group = { ...named, ns: 0, count: 0, longest_ts: from, longest_ns: 0 };
      ofThread.set(other, group);
    }
    group.ns += ns;
    group.count++;
    if (to - from > group.longest_ns) [group.longest_ts, group.longest_ns] = [from, to - from];
  }
  const all = [...groups.values()].flatMap((of) => [...of.values()]);
  return { groups: all.filter(({ ns }) => ns > 0), work_ns };
}

/** Blocks that have something in common. */
export type BlockedSum<K> = Pick<BlockedGroup, 'utid' | 'ns' | 'count' | 'longest_ts' | 'longest_ns'> & {
  readonly key: K;
};

/** The sums of groups by a key, most time first; `utid` is the thread of the longest block. */
export function sumGroups<K>(
  groups: readonly BlockedGroup[],
  keyOf: (group: BlockedGroup) => K,
): readonly BlockedSum<K>[] {
  const sums = new Map<K, { -readonly [P in keyof BlockedSum<K>]: BlockedSum<K>[P] }>();
  for (const group of groups) {
    const { utid, ns, count, longest_ts, longest_ns } = group;
    const key = keyOf(group);
    const sum = sums.get(key);
    if (sum === undefined) {
      sums.set(key, { key, utid, ns, count, longest_ts, longest_ns });
      continue;
    }
    sum.ns += ns;
    sum.count += count;
    if (longest_ns > sum.longest_ns) Object.assign(sum, { utid, longest_ts, longest_ns });
  }
  return [...sums.values()].sort((a, b) => b.ns - a.ns);
}
