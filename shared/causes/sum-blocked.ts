import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, grown, PairNumbers, type Stretch } from '../tables/index.ts';
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
  /** Whether waits for work count (`WrQueue`, `WrLpcReceive`). A thread is only idle in these. */
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
  readonly ns: number;
  readonly count: number;
  /** The longest, as a whole. */
  readonly longest_ts: number;
  readonly longest_ns: number;
}

/** The sums of blocks. */
export interface BlockedSums {
  readonly groups: readonly BlockedGroup[];
  /** Time of waits for work that was left out. */
  readonly work_ns: number;
}

/** Sums blocks by thread, wait reason, waker and, where they are given, stacks. Time in which the machine slept does not count. */
export function loadBlockedSums(
  query: Query,
  filter: BlockedFilter,
  stacks: BlockStacks | null,
): Promise<BlockedSums> {
  const { range, utids, withWork } = filter;
  const key = JSON.stringify([range.start, range.end, utids && [...utids], withWork, stacks?.at]);
  return keepSums(query, key, () => sumBlocks(query, filter, stacks));
}

/** Of so many groups the sums are kept, for who shows them in another way: some 150 bytes for each. */
const KEPT_GROUPS = 200_000;
const keepSums = keepLast<BlockedSums>(({ groups }) => groups.length <= KEPT_GROUPS);

async function sumBlocks(
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
  /** Numbers of threads with a reason; of stacks with a waker; and of groups, by these two. */
  readonly #owns = new PairNumbers();
  readonly #others = new PairNumbers();
  readonly #groups = new PairNumbers();
  /** By the number of a group. There can be a million: objects that change would take most of the time. */
  #ns = new Float64Array(1 << 8);
  #count = new Float64Array(1 << 8);
  #longest_ts = new Float64Array(1 << 8);
  #longest_ns = new Float64Array(1 << 8);
  #reasons: readonly (string | null)[] = [];
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
    const at = this.#groups.of(this.#owns.of(utid, reason), this.#others.of(callsite, waker));
    if (at >= this.#ns.length) this.#makeRoom(2 * at);
    this.#reasons = reasons;
    this.#ns[at] = (this.#ns[at] ?? 0) + ns;
    this.#count[at] = (this.#count[at] ?? 0) + 1;
    const longest_ns = block.te - block.ts;
    if (longest_ns <= (this.#longest_ns[at] ?? 0)) return;
    this.#longest_ts[at] = block.ts;
    this.#longest_ns[at] = longest_ns;
  }

  finish(): BlockedSums {
    const groups: BlockedGroup[] = [];
    for (const at of this.#inOrder()) {
      const [own, other] = [this.#groups.first(at), this.#groups.second(at)];
      const ns = this.#ns[at] ?? 0;
      if (ns <= 0) continue;
      groups.push({
        utid: this.#owns.first(own),
        reason: this.#reasons[this.#owns.second(own)] ?? null,
        waker: this.#others.second(other),
        callsite: this.#others.first(other),
        ns,
        count: this.#count[at] ?? 0,
        longest_ts: this.#longest_ts[at] ?? 0,
        longest_ns: this.#longest_ns[at] ?? 0,
      });
    }
    return { groups, work_ns: this.#work_ns };
  }

  /** The numbers of groups. Each thread and reason stands where it was first. Its groups are in the order of their first blocks. */
  #inOrder(): Uint32Array {
    const next = new Uint32Array(this.#owns.count + 1);
    for (let at = 0; at < this.#groups.count; at++) {
      const after = this.#groups.first(at) + 1;
      next[after] = (next[after] ?? 0) + 1;
    }
    for (let own = 1; own < next.length; own++) next[own] = (next[own] ?? 0) + (next[own - 1] ?? 0);
    const order = new Uint32Array(this.#groups.count);
    for (let at = 0; at < order.length; at++) {
      const own = this.#groups.first(at);
      const place = next[own] ?? 0;
      order[place] = at;
      next[own] = place + 1;
    }
    return order;
  }

  #makeRoom(groups: number): void {
    this.#ns = grown(this.#ns, new Float64Array(groups));
    this.#count = grown(this.#count, new Float64Array(groups));
    this.#longest_ts = grown(this.#longest_ts, new Float64Array(groups));
    this.#longest_ns = grown(this.#longest_ns, new Float64Array(groups));
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
