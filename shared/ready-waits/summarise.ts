import { keepLast } from '../engine/index.ts';
import { BinSums, type Bin, type Places, type WaitSummary } from './bin-sums.ts';
import { binOf } from './bin-of.ts';
import type { CountedWaits } from './count-waits.ts';
import { groupWaits, pickWaits, type GroupBy, type GroupedRows, type WaitFilters } from './pick-waits.ts';
import type { WaitKeys } from './wait-bins.ts';
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
  /** Which waits of each batch, and which of the counts. */
  readonly rows: readonly Uint32Array[];
  readonly counts: Uint32Array;
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
  const { names } = counted;
  const pick = (of: WaitKeys) => groupWaits(of, pickWaits(of, names, params), group_by);
  const batches = counted.rows.map((waits) => ({ waits, picked: pick(waits) }));
  const counts = pick(counted.counts);
  const [all, one] = [new BinSums(), new BinSums()];
  const groups: GroupSummary[] = [];
  const add = (code: number): void => {
    one.clear();
    let utid: number | undefined;
    for (const { waits, picked } of batches) {
      const places = placesOf(picked, code);
      if (places.from === places.to) continue;
      one.addRows(waits, picked.rows, places);
      utid ??= waits.utid[picked.rows[places.from] ?? -1];
    }
    const places = placesOf(counts, code);
    one.addCounts(counted.counts, counts.rows, places);
    if (places.from < places.to) utid ??= counted.counts.utid[counts.rows[places.from] ?? -1];
    if (utid === undefined) return;
    all.addSums(one);
    groups.push({ ...identity(names, group_by, code === 0 ? null : code - 1, utid), ...one.summary() });
  };
  const codes = Math.max(counts.ends.length, ...batches.map(({ picked }) => picked.ends.length));
  for (let code = 1; code < codes; code++) add(code);
  // What is not known comes last.
  add(0);
  groups.sort((a, b) => b.max_ns - a.max_ns || b.sum_ns - a.sum_ns);
  const rows = batches.map(({ picked }) => picked.rows);
  return { rows, counts: counts.rows, rising: all.bins(), total: all.summary(), groups };
}

/** Where the rows of a group are, by its code. */
function placesOf({ rows, ends }: GroupedRows, code: number): Places {
  const endOf = (of: number) => (of < ends.length ? (ends[of] ?? 0) : rows.length);
  return { from: code === 0 ? 0 : endOf(code - 1), to: endOf(code) };
}

/** What a group is, by its key and one of its threads. */
function identity(
  names: CountedWaits['names'],
  by: GroupBy,
  key: number | null,
  utid: number,
): Omit<GroupSummary, keyof WaitSummary> {
  const name = by === 'process' || by === 'thread' ? names.get(utid) : undefined;
  return {
    process: name?.process ?? null,
    service: (by === 'thread' ? name?.service : name?.services) ?? null,
    pid: name?.pid ?? null,
    tid: by === 'thread' ? (name?.tid ?? null) : null,
    rank: by === 'rank' ? key : null,
    priority: by === 'priority' ? key : null,
  };
}

/** How many waits are so long at least; null where counts cannot tell, since one of them has waits that are and waits that may not be. */
export function countFrom(
  { rows, counts }: CountedWaits,
  shown: Pick<ShownWaits, 'rows' | 'counts' | 'rising'>,
  at_least_ns: number,
): number | null {
  const edge = binOf(at_least_ns);
  const isEdge = at_least_ns <= 0 || binOf(at_least_ns - 1) < edge;
  let count = 0;
  for (const each of shown.rising) if (isEdge ? each.bin >= edge : each.bin > edge) count += each.count;
  if (isEdge) return count;
  const isIn = ({ key }: WaitKeys, row: number) => binOfKey(key[row] ?? 0) === edge;
  for (const [batch, waits] of rows.entries())
    for (const row of shown.rows[batch] ?? [])
      if (isIn(waits, row) && (waits.dur_ns[row] ?? 0) >= at_least_ns) count++;
  for (const row of shown.counts) {
    if (!isIn(counts, row) || (counts.max_ns[row] ?? 0) < at_least_ns) continue;
    if ((counts.waits[row] ?? 0) > 1) return null;
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
