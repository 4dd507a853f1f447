import type { Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { asleepIn, outside } from './asleep.ts';
import { visitBlocks } from './blocked.ts';
import type { Block } from './each-block.ts';
import { FOR_WORK } from './for-work.ts';
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
  /** As in {@link Block}. */
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
  const asleep = await asleepIn(dataOf(query).tables, filter.range);
  const sums = new Sums(filter, asleep, stacks);
  await visitBlocks(query, (block, reasons) => {
    sums.add(block, reasons);
  });
  return sums.finish();
}

class Sums {
  readonly #filter: BlockedFilter;
  readonly #asleep: readonly Span[];
  readonly #stacks: BlockStacks | null;
  /** By thread and reason, then by stack and waker. */
  readonly #groups = new Map<number, Map<number, BlockedGroup>>();
  /** By the number of a reason. */
  readonly #isForWork: boolean[] = [];
  #work_ns = 0;

  constructor(filter: BlockedFilter, asleep: readonly Span[], stacks: BlockStacks | null) {
    [this.#filter, this.#asleep, this.#stacks] = [filter, asleep, stacks];
  }

  add(block: Block, reasons: readonly (string | null)[]): void {
    const { range, utids, withWork } = this.#filter;
    const { utid, reason, waker } = block;
    const ts = Math.max(block.ts, range.start);
    const te = Math.min(block.te, range.end);
    if (ts >= te || utids?.has(utid) === false) return;
    const ns = outside(ts, te, this.#asleep);
    if (!withWork && (this.#isForWork[reason] ??= FOR_WORK.has(reasons[reason] ?? ''))) {
      this.#work_ns += ns;
      return;
    }
    const callsite = this.#stacks === null ? -1 : this.#stacks.stackAt(block[this.#stacks.at]);
    const own = utid * 256 + reason;
    const other = (callsite + 1) * APART + waker + 3;
    const ofThread = this.#groups.get(own) ?? new Map<number, BlockedGroup>();
    if (ofThread.size === 0) this.#groups.set(own, ofThread);
    let group = ofThread.get(other);
    if (group === undefined) {
      const named = { utid, reason: reasons[reason] ?? null, waker, callsite };
      group = { ...named, ns: 0, count: 0, longest_ts: block.ts, longest_ns: 0 };
      ofThread.set(other, group);
    }
    group.ns += ns;
    group.count++;
    const longest_ns = block.te - block.ts;
    if (longest_ns > group.longest_ns) [group.longest_ts, group.longest_ns] = [block.ts, longest_ns];
  }

  finish(): BlockedSums {
    const all = [...this.#groups.values()].flatMap((of) => [...of.values()]);
    return { groups: all.filter(({ ns }) => ns > 0), work_ns: this.#work_ns };
  }
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
