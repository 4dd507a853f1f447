import { keepLast } from '../engine/index.ts';
import { BinSums, type Bin, type WaitSummary } from './bin-sums.ts';
import { filterBins, groupBins, type CountedWaits, type GroupBy, type WaitFilters } from './wait-bins.ts';
import { binOf } from './bin-of.ts';
import { binOfKey } from './wait-key.ts';

/** The waits of one process, thread, rank or priority; fields that do not name it are null. */
export interface GroupSummary extends WaitSummary {
  readonly process: string | null;
  /** The service of a thread, else those that the process hosts. */
  readonly service: string | null;
  readonly pid: number | null;
  readonly tid: number | null;
  readonly rank: number | null;
  readonly priority: number | null;
}

/** What is counted of the waits that the filters let through. */
export interface ShownWaits {
  readonly rows: Uint32Array;
  /** The bins that hold waits, rising. */
  readonly rising: readonly Bin[];
  readonly total: WaitSummary;
  /** Longest wait first; of equal ones the one with the longest sum, then in the order of their keys. */
  readonly groups: readonly GroupSummary[];
}

/** Least lengths, wait reasons and limits choose among listed waits: these leave what is counted as it is. */
const keep = keepLast<ShownWaits, CountedWaits>();

/** Counts the waits that the filters let through, in all and by group. */
export function countShown(
  counted: CountedWaits,
  params: WaitFilters,
  group_by: GroupBy,
): Promise<ShownWaits> {
  const { process, thread, rank, ranked_only, priority, cause } = params;
  const key = JSON.stringify([process, thread, rank, ranked_only, priority, cause, group_by]);
  return keep(counted, key, () => Promise.resolve(sumShown(counted, params, group_by)));
}

/** The same, summed anew. */
export function sumShown(counted: CountedWaits, params: WaitFilters, group_by: GroupBy): ShownWaits {
  const rows = filterBins(counted, params);
  const [all, one] = [new BinSums(), new BinSums()];
  const groups = Array.from(groupBins(counted, rows, group_by), ([key, group]) => {
    one.clear();
    one.addRows(counted.bins, group);
    all.addSums(one);
    return { ...identity(counted, group_by, key, group[0] ?? 0), ...one.summary() };
  });
  groups.sort((a, b) => b.max_ns - a.max_ns || b.sum_ns - a.sum_ns);
  return { rows, rising: all.bins(), total: all.summary(), groups };
}

/** What a group is, by its key and one of its rows. */
function identity({ bins, names }: CountedWaits, by: GroupBy, key: number | null, row: number) {
  const isNamed = by === 'process' || by === 'thread';
  const name = isNamed ? names.get(bins.utid[row] ?? NaN) : undefined;
  return {
    process: name?.process ?? null,
    service: (by === 'thread' ? name?.service : name?.services) ?? null,
    pid: name?.pid ?? null,
    tid: by === 'thread' ? (name?.tid ?? null) : null,
    rank: by === 'rank' ? key : null,
    priority: by === 'priority' ? key : null,
  };
}

/** How many waits are so long at least; null where bins cannot tell, since one of them holds waits that are and waits that may not be. */
export function countFrom(
  { bins }: CountedWaits,
  { rows, rising }: Pick<ShownWaits, 'rows' | 'rising'>,
  at_least_ns: number,
): number | null {
  const edge = binOf(at_least_ns);
  const isEdge = at_least_ns <= 0 || binOf(at_least_ns - 1) < edge;
  let count = 0;
  for (const each of rising) if (isEdge ? each.bin >= edge : each.bin > edge) count += each.count;
  if (isEdge) return count;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    if (binOfKey(bins.key[row] ?? 0) !== edge || (bins.max_ns[row] ?? 0) < at_least_ns) continue;
    if ((bins.count[row] ?? 0) > 1) return null;
    count++;
  }
  return count;
}

const BINS_PER_DECADE = 100;
/** The bin of all that is below 100 ns. */
const FIRST_BIN = 200;

/** A length in ns that at least `count` waits have, if there are so many: the lower edge of a bin. */
export function lengthOfLongest(rising: readonly Bin[], count: number): number {
  let left = count;
  const bin = [...rising].reverse().find((each) => (left -= each.count) <= 0)?.bin ?? FIRST_BIN;
  // The first bin begins at 0; and an edge that was rounded up would leave out what lies on it.
  return bin <= FIRST_BIN ? 0 : Math.floor(10 ** (bin / BINS_PER_DECADE)) - 1;
}
