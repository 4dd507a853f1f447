import type { ThreadName } from '../threads/index.ts';

/** What waits are grouped by. */
export type GroupBy = 'process' | 'thread' | 'rank' | 'priority';

/** Which waits are looked at; null for any. */
export interface WaitFilters {
  /** Part of the name of the process. */
  readonly process: string | null;
  /** The id of the thread, or part of its name. */
  readonly thread: string | null;
  readonly cause: 'any' | 'wake' | 'preempted';
  /** Only those at a rank above 0. */
  readonly ranked_only: boolean;
  readonly rank: number | null;
  readonly priority: number | null;
}

/** Waits counted by thread, rank, priority, cause and duration: columns of equal length. */
export interface WaitBins {
  readonly utid: Float64Array;
  /** NaN: not recorded. */
  readonly rank: Float64Array;
  /** NaN: not recorded. */
  readonly priority: Float64Array;
  /** 1 for `preempted`, 0 for `wake`. */
  readonly preempted: Uint8Array;
  /** floor(100 log10 of the duration in ns); what is below 100 ns is in bin 200. */
  readonly bin: Uint16Array;
  readonly count: Float64Array;
  readonly sum_ns: Float64Array;
  readonly max_ns: Float64Array;
}

/** floor(100 log10 of a duration in ns); what is below 100 ns is in bin 200, as in `etw_ready_wait_bin`. */
export function binOf(dur_ns: number): number {
  return Math.trunc(Math.log(Math.max(dur_ns, 100)) * 43.42944819032518 + 1e-9);
}

/** All that percentiles, bars and groups are made of, whatever the filters. */
export interface CountedWaits {
  readonly bins: WaitBins;
  readonly names: ReadonlyMap<number, ThreadName>;
}

/** Rows of {@link WaitBins}, by their indexes. */
export type BinRows = Iterable<number> & ArrayLike<number>;

/** The rows that the filters let through. */
export function filterBins({ bins, names }: CountedWaits, params: WaitFilters): BinRows {
  const threads = threadsThatPass(names, params);
  const { rank, priority, ranked_only, cause } = params;
  const preempted = cause === 'any' ? null : Number(cause === 'preempted');
  const rows = new Uint32Array(bins.bin.length);
  let passed = 0;
  for (let row = 0; row < bins.bin.length; row++) {
    if (threads !== null && !threads.has(bins.utid[row] ?? -1)) continue;
    if (ranked_only && !((bins.rank[row] ?? NaN) > 0)) continue;
    if (rank !== null && bins.rank[row] !== rank) continue;
    if (priority !== null && bins.priority[row] !== priority) continue;
    if (preempted !== null && bins.preempted[row] !== preempted) continue;
    rows[passed++] = row;
  }
  return rows.subarray(0, passed);
}

/** The threads whose names pass; null for all. */
export function threadsThatPass(
  names: ReadonlyMap<number, ThreadName>,
  params: WaitFilters,
): ReadonlySet<number> | null {
  const process = params.process?.toLowerCase() ?? '';
  const thread = params.thread?.toLowerCase() ?? '';
  if (process === '' && thread === '') return null;
  const passes = (name: ThreadName) =>
    (name.process ?? '').toLowerCase().includes(process) &&
    (thread === '' || String(name.tid) === thread || (name.thread ?? '').toLowerCase().includes(thread));
  return new Set([...names].filter(([, name]) => passes(name)).map(([utid]) => utid));
}

/** The rows of each process, thread, rank or priority; what is not known is one group, with the key NaN. */
export function groupBins(
  { bins, names }: CountedWaits,
  rows: BinRows,
  by: GroupBy,
): ReadonlyMap<number, BinRows> {
  const keyOf = keyFunction(bins, names, by);
  const groupOf = new Map<number, number>();
  const sizes: number[] = [];
  const groups = new Uint32Array(rows.length);
  let lastKey = NaN;
  let last = -1;
  for (let at = 0; at < rows.length; at++) {
    const key = keyOf(rows[at] ?? 0);
    // Rows of a thread lie together: mostly it is the group of the row before.
    if (lastKey !== key) {
      last = groupOf.get(key) ?? sizes.push(0) - 1;
      groupOf.set(key, last);
      lastKey = key;
    }
    groups[at] = last;
    sizes[last] = (sizes[last] ?? 0) + 1;
  }
  // All rows in one array, group after group: lists that grow take several times as long.
  let end = 0;
  const ends = sizes.map((size) => (end += size));
  const next = Uint32Array.from(ends, (after, group) => after - (sizes[group] ?? 0));
  const sorted = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const group = groups[at] ?? 0;
    const place = next[group] ?? 0;
    sorted[place] = rows[at] ?? 0;
    next[group] = place + 1;
  }
  return new Map(
    [...groupOf].map(([key, group]) => {
      const after = ends[group] ?? 0;
      return [key, sorted.subarray(after - (sizes[group] ?? 0), after)];
    }),
  );
}

function keyFunction(
  { utid, rank, priority }: WaitBins,
  names: ReadonlyMap<number, ThreadName>,
  by: GroupBy,
): (row: number) => number {
  switch (by) {
    case 'process': {
      let thread = NaN;
      let upid = NaN;
      return (row) => {
        const of = utid[row] ?? NaN;
        if (of !== thread) {
          thread = of;
          upid = names.get(of)?.upid ?? NaN;
        }
        return upid;
      };
    }
    case 'thread':
      return (row) => utid[row] ?? NaN;
    case 'rank':
      return (row) => rank[row] ?? NaN;
    case 'priority':
      return (row) => priority[row] ?? NaN;
  }
}
