import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, filled, type Stretch } from '../tables/index.ts';
import { BlockGroups, type BlockStacks, type GroupSides } from './block-groups.ts';
import { StretchSums, type NumberedSums } from './stretch-sums.ts';

/** Which blocks are summed. */
export interface BlockedFilter {
  readonly range: Stretch;
  /** The threads that were blocked; null for all. */
  readonly utids: ReadonlySet<number> | null;
  /** Whether waits for work count (`WrQueue`, `WrLpcReceive`). A thread is only idle in these. */
  readonly withWork: boolean;
}

/** The blocks of one thread with one wait reason, one waker and one stack, as far as they lie in the range. */
export interface BlockedGroup extends GroupSides {
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
export async function loadBlockedSums(
  query: Query,
  filter: BlockedFilter,
  stacks: BlockStacks | null,
): Promise<BlockedSums> {
  const { range, withWork } = filter;
  const at = stacks?.at ?? 'no stack';
  const stretches = await (withWork ? keepWithWork : keepWithoutWork)(query, at, () =>
    StretchSums.of(dataOf(query).tables, () => new BlockGroups(stacks, withWork)),
  );
  const key = `${withWork} ${at} ${range.start} ${range.end}`;
  return blockedSums(await keepSums(query, key, () => stretches.sumsIn(range)), filter);
}

const keepWithWork = keepLast<StretchSums>();
const keepWithoutWork = keepLast<StretchSums>();
/** Of so many groups the sums are kept: some 70 bytes each. */
const KEPT_GROUPS = 1 << 21;
/** Of the last range: another filter needs no new sums. */
const keepSums = keepLast<NumberedSums>(({ sums }) => sums.group.length <= KEPT_GROUPS);

/** The groups that a filter lets through. Each thread and reason stands where it was first. Its groups are in the order of their first blocks. */
function blockedSums({ sums, groups }: NumberedSums, { utids, withWork }: BlockedFilter): BlockedSums {
  let work_ns = 0;
  const byOwn = new Map<number, number[]>();
  for (const row of inOrder(sums.order)) {
    const group = sums.group[row] ?? 0;
    if (utids?.has(groups.utidOf(group)) === false) continue;
    if (!withWork && groups.isForWork(group)) {
      work_ns += sums.ns[row] ?? 0;
      continue;
    }
    const own = groups.ownOf(group);
    const of = byOwn.get(own);
    if (of === undefined) byOwn.set(own, [row]);
    else of.push(row);
  }
  const found: BlockedGroup[] = [];
  // A million objects are looked through in the order in which they were made: else most of the time would go for memory.
  for (const rows of byOwn.values())
    for (const row of rows) {
      const ns = sums.ns[row] ?? 0;
      if (ns <= 0) continue;
      const { utid, reason, waker, callsite } = groups.sidesOf(sums.group[row] ?? 0);
      const count = sums.count[row] ?? 0;
      const longest_ts = sums.longest_ts[row] ?? 0;
      const longest_ns = sums.longest_ns[row] ?? 0;
      found.push({ utid, reason, waker, callsite, ns, count, longest_ts, longest_ns });
    }
  return { groups: found, work_ns };
}

/** The rows in the order of these numbers, each of which is there once. */
function inOrder(order: Float64Array): Float64Array {
  const rising = filled(new Float64Array(order.length), (row) => row);
  if (order.every((of, row) => row === 0 || of > (order[row - 1] ?? 0))) return rising;
  // A sort without a function takes a tenth of the time: so each number carries its row.
  const rows = order.length;
  const both = filled(new Float64Array(rows), (row) => (order[row] ?? 0) * rows + row).sort();
  return filled(both, (at) => (both[at] ?? 0) % rows);
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
