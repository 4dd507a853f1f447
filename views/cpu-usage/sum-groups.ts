import { sum } from 'd3';
import { sumCounted, type Counted } from '../../shared/cpu-sum/counted.ts';
import {
  ownedProcess,
  ownedThread,
  processLabel,
  threadLabel,
  type ThreadName,
} from '../../shared/threads/index.ts';
import type { CpuGroup, CpuSeries, CpuTotals, RankPriorityUsage } from './model.ts';
import type { CpuUsageParams, Grouping } from './params.ts';

/** CPU time in buckets by thread, priority and rank: columns of equal length. A group may have several rows. */
export interface RanColumns {
  /** The number of the bucket. */
  readonly bucket: Uint16Array;
  /** 0 is the idle thread. */
  readonly utid: Int32Array;
  /** Rank and priority in one number, as {@link rankPriority} packs them. */
  readonly rank_priority: Uint16Array;
  readonly ran_ns: Float64Array;
}

/** The part of the model that comes from sums. */
export interface CpuSums {
  readonly series: readonly CpuSeries[];
  readonly hidden_ns: readonly number[];
  readonly idle_ns: readonly number[];
  readonly unknown_ns: readonly number[];
  readonly totals: CpuTotals;
  readonly groups: readonly CpuGroup[];
  readonly by_rank_and_priority: readonly RankPriorityUsage[];
}

/** A group while it is summed. */
type Sum = Omit<CpuGroup, 'share' | 'counted'>;

/** Ranks that were not recorded come last. */
const RANK_UNKNOWN = 256;
/** So many different ranks with priorities there can be. */
const RANK_PRIORITIES = (RANK_UNKNOWN + 1) * 32;

/** A rank (NaN: not recorded) and a priority in one number: what Windows runs first is least. */
export function rankPriority(rank: number, priority: number): number {
  return (Number.isNaN(rank) ? RANK_UNKNOWN : rank) * 32 + (31 - (priority & 31));
}

/** The rank and the priority of such a number. */
function ofRankPriority(packed: number): { readonly rank: number | null; readonly priority: number } {
  const rank = packed >> 5;
  return { rank: rank === RANK_UNKNOWN ? null : rank, priority: 31 - (packed & 31) };
}

/** When a thread began, or the trace where that was before; null of a thread that is not known. */
export type AliveSince = (utid: number) => number | null;

/**
 * Sums CPU time by groups and buckets. For each bucket, all parts add up to its length times the number of CPUs. `aliveSince` tells
 * when threads began; it is needed by thread only.
 */
export function sumGroups(
  ran: RanColumns,
  counted: Counted,
  names: ReadonlyMap<number, ThreadName>,
  edges: readonly number[],
  cpuCount: number,
  params: CpuUsageParams,
  aliveSince: AliveSince,
): CpuSums {
  const buckets = edges.length - 1;
  const [hidden, idle] = [new Float64Array(buckets), new Float64Array(buckets)];
  const { by } = params;
  const { groupOf, members } = groupRows(ran, names, by);
  const isShown = shownRankPriorities(params);
  const groups_ns = new Float64Array(members.length);
  const ranks_ns = new Float64Array(RANK_PRIORITIES);

  // Plain loops over columns: there are more than a million rows, and they are summed at each change of a filter.
  const { bucket: bucketOf, utid, rank_priority, ran_ns } = ran;
  for (let row = 0; row < ran_ns.length; row++) {
    const bucket = bucketOf[row] ?? 0;
    const ns = ran_ns[row] ?? 0;
    const packed = rank_priority[row] ?? 0;
    if (utid[row] === 0) idle[bucket] = (idle[bucket] ?? 0) + ns;
    else if (isShown[packed] === 0) hidden[bucket] = (hidden[bucket] ?? 0) + ns;
    else {
      const group = groupOf[row] ?? 0;
      groups_ns[group] = (groups_ns[group] ?? 0) + ns;
      ranks_ns[packed] = (ranks_ns[packed] ?? 0) + ns;
    }
  }

  const sums = members
    .map((row, group) => ({ group, ...newGroup(by, ran, row, names, aliveSince, groups_ns[group] ?? 0) }))
    .filter((sum) => sum.ran_ns > 0);
  const largest = sums.sort((a, b) => b.ran_ns - a.ran_ns || (a.label < b.label ? -1 : 1));
  const drawn = stackOrder(by, largest.slice(0, Math.round(params.top ?? 12)));
  const seriesOf = new Uint16Array(members.length).fill(drawn.length);
  drawn.forEach(({ group }, series) => (seriesOf[group] = series));
  const series_ns = new Float64Array((drawn.length + 1) * buckets);
  for (let row = 0; row < ran_ns.length; row++) {
    if (utid[row] === 0 || isShown[rank_priority[row] ?? 0] === 0) continue;
    const place = (seriesOf[groupOf[row] ?? 0] ?? 0) * buckets + (bucketOf[row] ?? 0);
    series_ns[place] = (series_ns[place] ?? 0) + (ran_ns[row] ?? 0);
  }
  const seriesSums = Array.from({ length: drawn.length + 1 }, (_, series) => [
    ...series_ns.subarray(series * buckets, (series + 1) * buckets),
  ]);
  const rest = largest.length - drawn.length;
  const labels = [...drawn.map(({ label }) => label), `other (${rest})`];
  const capacity = Array.from(
    idle,
    (_, bucket) => cpuCount * ((edges[bucket + 1] ?? 0) - (edges[bucket] ?? 0)),
  );
  const unknown_ns = capacity.map((all_ns, bucket) =>
    Math.max(
      0,
      [idle, hidden, ...seriesSums].reduce((left, parts) => left - (parts[bucket] ?? 0), all_ns),
    ),
  );
  const capacity_ns = sum(capacity);
  const ofThreads = by === 'process' || by === 'thread';
  const countedOf = sumCounted(counted, ({ utid, rank, priority }) => {
    const packed = rankPriority(rank ?? NaN, priority);
    return isShown[packed] === 0 ? null : keyOf(by, ofThreads ? utid : packed, names);
  });
  const share = (ran_ns: number) => (capacity_ns === 0 ? 0 : ran_ns / capacity_ns);
  return {
    series: seriesSums
      .map((ran_ns, index) => ({ label: labels[index] ?? '', other: index === drawn.length, ran_ns }))
      .slice(0, drawn.length + Math.min(1, rest)),
    hidden_ns: [...hidden],
    idle_ns: [...idle],
    unknown_ns,
    totals: {
      capacity_ns,
      shown_ns: sum(largest, ({ ran_ns }) => ran_ns),
      hidden_ns: sum(hidden),
      idle_ns: sum(idle),
      unknown_ns: sum(unknown_ns),
    },
    groups: largest.map(({ group, ...sum }) => {
      const row = members[group] ?? 0;
      const value = (ofThreads ? ran.utid : ran.rank_priority)[row] ?? 0;
      return { ...sum, share: share(sum.ran_ns), counted: countedOf(keyOf(by, value, names)) };
    }),
    by_rank_and_priority: [...ranks_ns].flatMap((ns, packed) =>
      ns === 0 ? [] : [{ ...ofRankPriority(packed), ran_ns: ns, share: share(ns) }],
    ),
  };
}

/** 1 for each rank and priority that is not hidden, as {@link rankPriority} packs them. */
function shownRankPriorities({ priority_min, priority_max, rank }: CpuUsageParams): Uint8Array {
  return Uint8Array.from({ length: RANK_PRIORITIES }, (_, packed) => {
    const of = ofRankPriority(packed);
    const isPriority = of.priority >= (priority_min ?? 0) && of.priority <= (priority_max ?? 31);
    return Number(isPriority && (rank === null || of.rank === rank));
  });
}

/** The group of each row, and of each group one of its rows. */
interface GroupedRows {
  readonly groupOf: Uint32Array;
  readonly members: readonly number[];
}

/** What was grouped last: hiding priorities leaves the groups as they are. */
const grouped = new WeakMap<RanColumns, Map<Grouping, GroupedRows>>();

function groupRows(ran: RanColumns, names: ReadonlyMap<number, ThreadName>, by: Grouping): GroupedRows {
  const before = grouped.get(ran) ?? new Map<Grouping, GroupedRows>();
  grouped.set(ran, before);
  const rows = before.get(by) ?? makeGroups(ran, names, by);
  before.set(by, rows);
  return rows;
}

function makeGroups(
  { utid, rank_priority }: RanColumns,
  names: ReadonlyMap<number, ThreadName>,
  by: Grouping,
): GroupedRows {
  const groupOf = new Uint32Array(utid.length);
  const members: number[] = [];
  const groupOfKey = new Map<number, number>();
  const enter = (key: number, row: number): number => {
    const group = groupOfKey.get(key) ?? members.push(row) - 1;
    groupOfKey.set(key, group);
    return group;
  };
  // By thread, or by rank and priority, the group is looked up in an array: 0 is none yet.
  const ofThreads = by === 'process' || by === 'thread';
  const column = ofThreads ? utid : rank_priority;
  let most = 0;
  for (const value of column) if (value > most) most = value;
  const known = new Uint32Array(most + 1);
  for (let row = 0; row < column.length; row++) {
    const value = column[row] ?? 0;
    let group = known[value] ?? 0;
    if (group === 0) {
      group = enter(keyOf(by, value, names), row) + 1;
      known[value] = group;
    }
    groupOf[row] = group - 1;
  }
  return { groupOf, members };
}

/** What rows of one group have in common; `value` is the thread, or rank and priority. */
function keyOf(by: Grouping, value: number, names: ReadonlyMap<number, ThreadName>): number {
  switch (by) {
    case 'process':
      return names.get(value)?.upid ?? -1;
    case 'priority':
      return value & 31;
    case 'thread':
    case 'rank-priority':
      return value;
  }
}

function newGroup(
  by: Grouping,
  { utid, rank_priority }: RanColumns,
  row: number,
  names: ReadonlyMap<number, ThreadName>,
  aliveSince: AliveSince,
  ran_ns: number,
): Sum {
  const sum = { ...ownedThread(undefined), alive_ts: null, rank: null, priority: null, ran_ns };
  const name = names.get(utid[row] ?? 0);
  const { rank, priority } = ofRankPriority(rank_priority[row] ?? 0);
  switch (by) {
    case 'process':
      return { ...sum, ...ownedProcess(name), label: processLabel(name) };
    case 'thread': {
      const alive_ts = aliveSince(utid[row] ?? 0);
      return { ...sum, ...ownedThread(name), label: threadLabel(name), alive_ts };
    }
    case 'priority':
      return { ...sum, label: `priority ${priority}`, priority };
    case 'rank-priority': {
      const ofRank = rank === null ? 'rank not recorded' : `rank ${rank}`;
      return { ...sum, label: `${ofRank}, priority ${priority}`, rank, priority };
    }
  }
}

/** The order from the lowest in the stack: the largest group, or what Windows runs first. */
function stackOrder<T extends Sum>(by: Grouping, groups: readonly T[]): readonly T[] {
  if (by === 'process' || by === 'thread') return groups;
  const order = ({ rank, priority }: Sum) =>
    rankPriority(by === 'priority' ? 0 : (rank ?? NaN), priority ?? 0);
  return [...groups].sort((a, b) => order(a) - order(b));
}
