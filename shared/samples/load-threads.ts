import type { Query } from '../engine/index.ts';
import threadsSql from './threads.sql';

/** A thread, and the process it belongs to; null is what is not known. */
export interface SampledThread {
  readonly tid: number;
  readonly thread: string | null;
  readonly upid: number | null;
  readonly pid: number | null;
  readonly process: string | null;
}

/** All threads by utid. */
export async function loadThreads(query: Query): Promise<ReadonlyMap<number, SampledThread>> {
  const threads = new Map<number, SampledThread>();
  for (const { utid, tid, thread, upid, pid, process } of (await query(threadsSql)).rows()) {
    threads.set(Number(utid), {
      tid: Number(tid),
      thread: typeof thread === 'string' && thread !== '' ? thread : null,
      upid: upid === null ? null : Number(upid),
      pid: pid === null ? null : Number(pid),
      process: typeof process === 'string' ? process : null,
    });
  }
  return threads;
}

/** A process in words: `wmi.exe (pid 16)`. */
export function processLabel(thread: SampledThread | undefined): string {
  const name = thread?.process ?? 'unknown process';
  return thread?.pid === null || thread?.pid === undefined ? name : `${name} (pid ${thread.pid})`;
}

/** A thread in words: `wmi.exe (tid 20)`, with its name where it was given one. */
export function threadLabel(thread: SampledThread | undefined): string {
  const name = thread?.process ?? 'unknown process';
  const given = thread?.thread === null || thread?.thread === undefined ? '' : ` ${thread.thread}`;
  return `${name} (tid ${thread?.tid ?? '?'})${given}`;
}
