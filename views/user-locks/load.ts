import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import {
  boundsOf,
  knownOf,
  loadRecording,
  type Recording,
  type Known,
} from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, utidsMatching, type ThreadName } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import holdsSql from './holds.sql';
import { params, recording as needs, type UserLocksParams } from './params.ts';
import threadsSql from './threads.sql';
import waitsSql from './waits.sql';

type Names = ReadonlyMap<number, ThreadName>;

/** A span in which a thread held the user lock, or waited for it. */
export type LockSpan = ReturnType<typeof spanOf>;
/** A wait, and who held the lock longest meanwhile. Null is what was not recorded. */
export type LockWait = ReturnType<typeof waitOf>;
/** What one thread had to do with the lock in the range. */
export type LockThread = ReturnType<typeof threadOf>;

/** All that the view draws: the longest waits and holds first, and the threads with most of both. */
export interface UserLocksModel extends Known {
  readonly waits: readonly LockWait[];
  readonly holds: readonly LockSpan[];
  readonly threads: readonly LockThread[];
}

/** Asks for all that the view shows of `range`. */
export async function loadUserLocks(
  query: Query,
  { process, limit }: UserLocksParams,
  range: TimeRange,
): Promise<UserLocksModel> {
  const bounds = boundsOf(range);
  const recording = await loadRecording(query, needs, bounds);
  const names = await loadThreadNames(dataOf(query).tables);
  const utids = utidsMatching(names, { process, thread: null });
  const asked = { ...bounds, utids: utids && JSON.stringify(utids) };
  const ask = async <T>(sql: string, read: (row: Row) => T, most = {}) =>
    Array.from((await dataOf(query).outline(sql, { ...asked, ...most })).rows(), read);
  const most = { limit: Math.round(limit ?? params.limit.default) };
  return {
    ...knownOf(recording),
    waits: await ask(waitsSql, (row) => waitOf(row, names, recording), most),
    holds: await ask(holdsSql, (row) => spanOf(row, names), most),
    threads: await ask(threadsSql, (row) => threadOf(row, names)),
  };
}

function spanOf(row: Row, names: Names) {
  const utid = Number(row.utid);
  return { ts: Number(row.ts), dur: Number(row.dur), utid, thread: names.get(utid) };
}

function waitOf(row: Row, names: Names, recording: Recording) {
  return {
    ...spanOf(row, names),
    wants: toText(row.wants),
    holder: names.get(toNumber(row.holder) ?? NaN),
    held_ns: toNumber(row.held_ns) ?? 0,
    ran_ns: recording.has('switches') ? (toNumber(row.ran_ns) ?? 0) : null,
    ready_ns: recording.has('ready_threads') ? (toNumber(row.ready_ns) ?? 0) : null,
  };
}

function threadOf(row: Row, names: Names) {
  const [utid, waits, waited_ns] = [Number(row.utid), Number(row.waits), Number(row.waited_ns)];
  const [holds, held_ns] = [Number(row.holds), Number(row.held_ns)];
  return { utid, thread: names.get(utid), waits, waited_ns, holds, held_ns };
}
