import { inGroups, KeySet } from '../tables/index.ts';
import type { ThreadName } from '../threads/index.ts';
import { ProcessCodes } from './process-codes.ts';
import {
  keysThatPass,
  PRIORITY_CODES,
  priorityCodeOf,
  RANK_0_CODE,
  RANK_CODES,
  rankCodeOf,
  type KeyFilters,
} from './wait-key.ts';

/** What waits are grouped by. */
export type GroupBy = 'process' | 'thread' | 'rank' | 'priority';

/** Which waits are looked at; null for any. */
export interface WaitFilters extends KeyFilters {
  /** Part of the name of the process. */
  readonly process: string | null;
  /** The id of the thread, or part of its name. */
  readonly thread: string | null;
  /** Only those at a rank above 0. */
  readonly ranked_only: boolean;
}

/** Waits, and counts of waits that are alike: columns of equal length. Rows of a thread lie together in one or two places. */
export interface WaitBins {
  readonly utid: Uint32Array;
  /** Rank, priority, cause and bin of the length: see `waitKey`. */
  readonly key: Uint32Array;
  readonly count: Uint32Array;
  readonly sum_ns: Float64Array;
  readonly max_ns: Float64Array;
}

/** All that percentiles, bars and groups are made of, whatever the filters. */
export interface CountedWaits {
  readonly bins: WaitBins;
  readonly names: ReadonlyMap<number, ThreadName>;
}

/** The rows that the filters let through. */
export function filterBins({ bins: { utid, key }, names }: CountedWaits, params: WaitFilters): Uint32Array {
  const threads = threadsThatPass(names, params);
  const { mask, bits } = keysThatPass(params);
  const leastRankCode = params.ranked_only ? RANK_0_CODE + 1 : 0;
  const rows = new Uint32Array(key.length);
  let passed = 0;
  for (let row = 0; row < key.length; row++) {
    const own = key[row] ?? 0;
    if ((own & mask) !== bits || rankCodeOf(own) < leastRankCode) continue;
    if (threads !== null && !threads.has(utid[row] ?? 0)) continue;
    rows[passed++] = row;
  }
  return rows.subarray(0, passed);
}

/** The threads whose names pass; null for all. */
export function threadsThatPass(
  names: ReadonlyMap<number, ThreadName>,
  params: Pick<WaitFilters, 'process' | 'thread'>,
): KeySet | null {
  const process = params.process?.toLowerCase() ?? '';
  const thread = params.thread?.toLowerCase() ?? '';
  if (process === '' && thread === '') return null;
  const passes = (name: ThreadName) =>
    (name.process ?? '').toLowerCase().includes(process) &&
    (thread === '' || String(name.tid) === thread || (name.thread ?? '').toLowerCase().includes(thread));
  return new KeySet([...names].filter(([, name]) => passes(name)).map(([utid]) => utid));
}

/** The rows of each process, thread, rank or priority; what is not known is one group, with the key NaN. */
export function groupBins(
  counted: CountedWaits,
  rows: Uint32Array,
  by: GroupBy,
): ReadonlyMap<number, Uint32Array> {
  const { codes, count } = codesOf(counted, rows, by);
  const { rows: order, ends } = inGroups(codes, count);
  const sorted = pickRows(rows, order);
  const groups = new Map<number, Uint32Array>();
  for (let code = 0; code < count; code++) {
    const group = sorted.subarray(ends[code - 1] ?? 0, ends[code]);
    if (group.length > 0) groups.set(code === 0 ? NaN : code - 1, group);
  }
  return groups;
}

/** By row: the key of its group and one more; 0 where it is not known. */
function codesOf({ bins, names }: CountedWaits, rows: Uint32Array, by: GroupBy): Codes {
  const codes = pickRows(by === 'process' || by === 'thread' ? bins.utid : bins.key, rows);
  switch (by) {
    case 'process': {
      const processes = new ProcessCodes(names);
      for (let at = 0; at < codes.length; at++) codes[at] = processes.of(codes[at] ?? 0);
      return { codes, count: processes.count };
    }
    case 'thread': {
      let count = 0;
      for (let at = 0; at < codes.length; at++) {
        const code = (codes[at] ?? 0) + 1;
        codes[at] = code;
        if (code >= count) count = code + 1;
      }
      return { codes, count };
    }
    case 'rank':
      for (let at = 0; at < codes.length; at++) codes[at] = rankCodeOf(codes[at] ?? 0);
      return { codes, count: RANK_CODES };
    case 'priority':
      for (let at = 0; at < codes.length; at++) codes[at] = priorityCodeOf(codes[at] ?? 0);
      return { codes, count: PRIORITY_CODES };
  }
}

interface Codes {
  readonly codes: Uint32Array;
  /** All codes are below. */
  readonly count: number;
}

/** The values of rows. */
function pickRows(values: Uint32Array, rows: Uint32Array): Uint32Array {
  const picked = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) picked[at] = values[rows[at] ?? 0] ?? 0;
  return picked;
}
