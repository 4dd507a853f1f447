import { inGroups, KeySet } from '../tables/index.ts';
import type { ThreadName } from '../threads/index.ts';
import type { WaitKeys } from './wait-bins.ts';
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

/** Rows, group after group. */
export interface GroupedRows {
  readonly rows: Uint32Array;
  /** By code of a group, which is its key and one more, and 0 for what is not known: where its rows end, and those of the next one begin. */
  readonly ends: Uint32Array;
}

/** The rows that filters let through, by process. */
export function pickWaits(
  of: WaitKeys,
  names: ReadonlyMap<number, ThreadName>,
  params: WaitFilters,
): GroupedRows {
  const { utid, key } = of;
  const { starts, ends, pieceEnds } = of.byProcess;
  const threads = threadsThatPass(names, params);
  const { mask, bits } = keysThatPass(params);
  const leastRankCode = params.ranked_only ? RANK_0_CODE + 1 : 0;
  const rows = new Uint32Array(key.length);
  const groupEnds = new Uint32Array(pieceEnds.length);
  let [passed, piece] = [0, 0];
  for (let process = 0; process < groupEnds.length; process++) {
    for (const last = pieceEnds[process] ?? 0; piece < last; piece++) {
      const end = ends[piece] ?? 0;
      for (let row = starts[piece] ?? 0; row < end; row++) {
        const own = key[row] ?? 0;
        if ((own & mask) !== bits || rankCodeOf(own) < leastRankCode) continue;
        if (threads !== null && !threads.has(utid[row] ?? 0)) continue;
        rows[passed++] = row;
      }
    }
    groupEnds[process] = passed;
  }
  return { rows: rows.subarray(0, passed), ends: groupEnds };
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

/** Puts rows that were picked into the order of their groups. */
export function groupWaits(of: WaitKeys, picked: GroupedRows, by: GroupBy): GroupedRows {
  // They are in the order of their processes.
  if (by === 'process') return picked;
  const { codes, count } = codesOf(of, picked.rows, by);
  const { rows: order, ends } = inGroups(codes, count);
  const rows = new Uint32Array(order.length);
  for (let at = 0; at < rows.length; at++) rows[at] = picked.rows[order[at] ?? 0] ?? 0;
  return { rows, ends };
}

interface Codes {
  readonly codes: Uint32Array;
  /** All codes are below. */
  readonly count: number;
}

function codesOf({ utid, key }: WaitKeys, rows: Uint32Array, by: Exclude<GroupBy, 'process'>): Codes {
  const codes = new Uint32Array(rows.length);
  switch (by) {
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
