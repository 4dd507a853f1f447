import type { ThreadName } from '../../shared/threads/index.ts';
import type { CpuGroup, CpuSeries, CpuTotals, RankPriorityUsage } from './model.ts';
import { groupingOf, type CpuUsageParams, type Grouping } from './params.ts';

/** CPU time in buckets by thread, priority and rank: columns of equal length. A group may have several rows. */
export interface RanColumns {
  /** Where the bucket starts. */
  readonly ts: Float64Array;
  /** 0 is the idle thread. */
  readonly utid: Float64Array;
  readonly priority: Float64Array;
  /** NaN: not recorded. */
  readonly rank: Float64Array;
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
type Sum = Omit<CpuGroup, 'share' | 'ran_ns'> & { ran_ns: number; series: number };

/** Ranks and priorities in one number: ranks that were not recorded come last. */
const RANK_UNKNOWN = 256;
const rankPriority = (rank: number, priority: number) =>
  (Number.isNaN(rank) ? RANK_UNKNOWN : rank) * 32 + (31 - priority);

/** Sums CPU time by groups and buckets. For each bucket, all parts add up to its length times the number of CPUs. */
export function sumGroups(
  ran: RanColumns,
  names: ReadonlyMap<number, ThreadName>,
  edges: readonly number[],
  cpuCount: number,
  params: CpuUsageParams,
): CpuSums {
  const buckets = edges.length - 1;
  const bucketOf = new Map(edges.map((edge, index) => [edge, index]));
  const zeros = () => new Array<number>(buckets).fill(0);
  const [hidden, idle, known] = [zeros(), zeros(), zeros()];
  const by = groupingOf(params);
  const lowest = params.priority_min ?? 0;
  const highest = params.priority_max ?? 31;
  const groups = new Map<number, Sum>();
  const ranks = new Map<number, { rank: number | null; priority: number; ran_ns: number }>();

  // What is not shown goes to its own sums at once; what is shown waits until it is known which groups are largest.
  const shownBuckets: number[] = [];
  const shownGroups: Sum[] = [];
  const shown_ns: number[] = [];
  for (let row = 0; row < ran.ts.length; row++) {
    const bucket = bucketOf.get(ran.ts[row] ?? NaN);
    const ran_ns = ran.ran_ns[row] ?? 0;
    if (bucket === undefined || ran_ns === 0) continue;
    const utid = ran.utid[row] ?? 0;
    const priority = ran.priority[row] ?? 0;
    const rank = ran.rank[row] ?? NaN;
    known[bucket] = (known[bucket] ?? 0) + ran_ns;
    if (utid === 0) {
      idle[bucket] = (idle[bucket] ?? 0) + ran_ns;
      continue;
    }
    if (priority < lowest || priority > highest) {
      hidden[bucket] = (hidden[bucket] ?? 0) + ran_ns;
      continue;
    }
    const rankKey = rankPriority(rank, priority);
    const byRank = ranks.get(rankKey);
    if (byRank === undefined) ranks.set(rankKey, { rank: knownRank(rank), priority, ran_ns });
    else byRank.ran_ns += ran_ns;
    const name = names.get(utid);
    const key = groupKey(by, utid, name, priority, rankKey);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = newGroup(by, name, rank, priority)));
    group.ran_ns += ran_ns;
    shownBuckets.push(bucket);
    shownGroups.push(group);
    shown_ns.push(ran_ns);
  }

  const largest = [...groups.values()].sort((a, b) => b.ran_ns - a.ran_ns || (a.label < b.label ? -1 : 1));
  const drawn = stackOrder(by, largest.slice(0, Math.round(params.top ?? 12)));
  drawn.forEach((group, index) => (group.series = index));
  const sums = [...drawn, null].map(zeros);
  shownGroups.forEach(({ series }, row) => {
    const sum = sums[series === -1 ? drawn.length : series];
    const bucket = shownBuckets[row] ?? 0;
    if (sum !== undefined) sum[bucket] = (sum[bucket] ?? 0) + (shown_ns[row] ?? 0);
  });
  const rest = largest.length - drawn.length;
  const labels = [...drawn.map(({ label }) => label), `other (${rest})`];
  const capacity = known.map((_, bucket) => cpuCount * ((edges[bucket + 1] ?? 0) - (edges[bucket] ?? 0)));
  const unknown = known.map((known_ns, bucket) => Math.max(0, (capacity[bucket] ?? 0) - known_ns));
  const capacity_ns = total(capacity);
  const share = (ran_ns: number) => (capacity_ns === 0 ? 0 : ran_ns / capacity_ns);
  return {
    series: sums
      .map((ran_ns, index) => ({ label: labels[index] ?? '', other: index === drawn.length, ran_ns }))
      .slice(0, drawn.length + Math.min(1, rest)),
    hidden_ns: hidden,
    idle_ns: idle,
    unknown_ns: unknown,
    totals: {
      capacity_ns,
      shown_ns: total(largest.map(({ ran_ns }) => ran_ns)),
      hidden_ns: total(hidden),
      idle_ns: total(idle),
      unknown_ns: total(unknown),
    },
    groups: largest.map(({ label, process, pid, thread, tid, rank, priority, ran_ns }) => ({
      ...{ label, process, pid, thread, tid, rank, priority, ran_ns },
      share: share(ran_ns),
    })),
    by_rank_and_priority: [...ranks]
      .sort(([a], [b]) => a - b)
      .map(([, { rank, priority, ran_ns }]) => ({ rank, priority, ran_ns, share: share(ran_ns) })),
  };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function knownRank(rank: number): number | null {
  return Number.isNaN(rank) ? null : rank;
}

function groupKey(
  by: Grouping,
  utid: number,
  name: ThreadName | undefined,
  priority: number,
  rankKey: number,
): number {
  switch (by) {
    case 'process':
      return name?.upid ?? -1;
    case 'thread':
      return utid;
    case 'priority':
      return priority;
    case 'rank-priority':
      return rankKey;
  }
}

function newGroup(by: Grouping, name: ThreadName | undefined, rank: number, priority: number): Sum {
  const nothing = { process: null, pid: null, thread: null, tid: null, rank: null, priority: null };
  const sum = { ...nothing, ran_ns: 0, series: -1 };
  const process = name?.process ?? null;
  const pid = name?.pid ?? null;
  const owner = process ?? 'unknown process';
  switch (by) {
    case 'process':
      return { ...sum, label: pid === null ? owner : `${owner} (pid ${pid})`, process, pid };
    case 'thread': {
      const { thread = null, tid = null } = name ?? {};
      return { ...sum, label: `${owner} (tid ${tid ?? '?'})`, process, pid, thread, tid };
    }
    case 'priority':
      return { ...sum, label: `priority ${priority}`, priority };
    case 'rank-priority': {
      const ofRank = Number.isNaN(rank) ? 'rank not recorded' : `rank ${rank}`;
      return { ...sum, label: `${ofRank}, priority ${priority}`, rank: knownRank(rank), priority };
    }
  }
}

/** The order from the lowest in the stack: the largest group, or what Windows runs first. */
function stackOrder(by: Grouping, groups: readonly Sum[]): readonly Sum[] {
  if (by === 'process' || by === 'thread') return groups;
  const order = ({ rank, priority }: Sum) =>
    rankPriority(by === 'priority' ? 0 : (rank ?? NaN), priority ?? 0);
  return [...groups].sort((a, b) => order(a) - order(b));
}
