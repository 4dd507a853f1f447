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

/** Waits, and counts of waits that are alike: columns of equal length. Rows of a thread, or of its process, lie together. */
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

/** The rows of each process, thread, rank or priority, in the order of their keys; what is not known comes last, with the key null. */
export function groupBins(
  counted: CountedWaits,
  rows: Uint32Array,
  by: GroupBy,
): readonly (readonly [key: number | null, rows: Uint32Array])[] {
  const { codes, count } = codesOf(counted, rows, by);
  const { rows: order, ends } = inGroups(codes, count);
  // Where all rows are there, the order is theirs.
  const sorted = rows.length === counted.bins.key.length ? order : pickRows(rows, order);
  const groups: [number | null, Uint32Array][] = [];
  let from = 0;
  for (const [code, end] of ends.entries()) {
    if (end > from) groups.push([code === 0 ? null : code - 1, sorted.subarray(from, end)]);
    from = end;
  }
  if (groups[0]?.[0] === null) groups.push(...groups.splice(0, 1));
  return groups;
}

interface Codes {
  readonly codes: Uint32Array;
  /** All codes are below. */
  readonly count: number;
}

/** By row: the key of its group and one more; 0 where it is not known. */
function codesOf({ bins: { utid, key }, names }: CountedWaits, rows: Uint32Array, by: GroupBy): Codes {
  const codes = new Uint32Array(rows.length);
  switch (by) {
    case 'process': {
      const processes = new ProcessCodes(names);
      for (let at = 0; at < rows.length; at++) codes[at] = processes.of(utid[rows[at] ?? 0] ?? 0);
      return { codes, count: processes.count };
    }
    case 'thread': {
      let most = 0;
      for (let at = 0; at < rows.length; at++) {
        const code = (utid[rows[at] ?? 0] ?? 0) + 1;
        codes[at] = code;
        if (code > most) most = code;
      }
      return { codes, count: most + 1 };
    }
    case 'rank':
      for (let at = 0; at < rows.length; at++) codes[at] = rankCodeOf(key[rows[at] ?? 0] ?? 0);
      return { codes, count: RANK_CODES };
    case 'priority':
      for (let at = 0; at < rows.length; at++) codes[at] = priorityCodeOf(key[rows[at] ?? 0] ?? 0);
      return { codes, count: PRIORITY_CODES };
  }
}

/** The values of rows. */
function pickRows(values: Uint32Array, rows: Uint32Array): Uint32Array {
  const picked = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) picked[at] = values[rows[at] ?? 0] ?? 0;
  return picked;
}
