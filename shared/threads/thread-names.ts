import { oncePerTrace, toNumber, toText } from '../engine/index.ts';
import threadsSql from './threads.sql';

/** What a thread is called, and its process; null is what is not known. */
export interface ThreadName {
  readonly tid: number;
  readonly thread: string | null;
  readonly upid: number | null;
  readonly pid: number | null;
  readonly process: string | null;
}

/** All threads by utid; asked of each trace once. */
export const loadThreadNames = oncePerTrace(
  async (query): Promise<ReadonlyMap<number, ThreadName>> =>
    new Map(
      [...(await query(threadsSql)).rows()].map(({ utid, tid, thread, upid, pid, process }) => [
        Number(utid),
        {
          tid: Number(tid),
          thread: toText(thread),
          upid: toNumber(upid),
          pid: toNumber(pid),
          process: toText(process),
        },
      ]),
    ),
);

/** A process in words: `wmi.exe (pid 16)`. */
export function processLabel(thread: ThreadName | undefined): string {
  const name = thread?.process ?? 'unknown process';
  return thread?.pid === null || thread?.pid === undefined ? name : `${name} (pid ${thread.pid})`;
}

/** A thread in words: `wmi.exe (tid 20)`, with its name where it was given one. */
export function threadLabel(thread: ThreadName | undefined): string {
  const name = thread?.process ?? 'unknown process';
  const given = thread?.thread ? ` ${thread.thread}` : '';
  return `${name} (tid ${thread?.tid ?? '?'})${given}`;
}

/**
 * The threads whose process and thread have the wanted id, or contain the wanted text in their name, as a JSON array of
 * utids; null where nothing is wanted.
 */
export function utidsMatching(
  names: ReadonlyMap<number, ThreadName>,
  { process, thread }: { readonly process: string | null; readonly thread: string | null },
): string | null {
  if (!process && !thread) return null;
  const matches = (wanted: string | null, id: number | null, name: string | null) =>
    !wanted || String(id) === wanted || (name ?? '').toLowerCase().includes(wanted.toLowerCase());
  const passing = [...names].filter(
    ([, name]) => matches(process, name.pid, name.process) && matches(thread, name.tid, name.thread),
  );
  return JSON.stringify(passing.map(([utid]) => utid));
}
