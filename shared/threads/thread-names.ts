import { oncePerTrace } from '../engine/index.ts';
import { numberAt, textAt, type Tables } from '../tables/index.ts';

/** What a thread is called, and its process; null is what is not known. */
export interface ThreadName {
  readonly tid: number;
  readonly thread: string | null;
  readonly upid: number | null;
  readonly pid: number | null;
  readonly process: string | null;
}

/** All threads by utid. */
export const loadThreadNames = oncePerTrace(
  async (tables: Tables): Promise<ReadonlyMap<number, ThreadName>> => {
    const processes = new Map<number, string | null>();
    for await (const { rowCount, columns } of tables.batches('etw_process', ['upid', 'name']))
      for (let row = 0; row < rowCount; row++)
        processes.set(columns.upid.values[row] ?? 0, textAt(columns.name, row));
    const names = new Map<number, ThreadName>();
    const of = ['utid', 'tid', 'upid', 'pid', 'name'] as const;
    for await (const { rowCount, columns } of tables.batches('etw_thread', of))
      for (let row = 0; row < rowCount; row++) {
        const [upid, pid] = [numberAt(columns.upid, row), numberAt(columns.pid, row)];
        // A process that only its threads name has no row.
        const process = upid === null ? null : (processes.get(upid) ?? `pid ${pid ?? '?'}`);
        const tid = columns.tid.values[row] ?? 0;
        names.set(columns.utid.values[row] ?? 0, {
          tid,
          thread: textAt(columns.name, row),
          upid,
          pid,
          process,
        });
      }
    return names;
  },
);

/**
 * The threads whose process and thread have the wanted id, or contain the wanted text in their name, as utids; null where
 * nothing is wanted.
 */
export function utidsMatching(
  names: ReadonlyMap<number, ThreadName>,
  { process, thread }: { readonly process: string | null; readonly thread: string | null },
): readonly number[] | null {
  if (!process && !thread) return null;
  const utids: number[] = [];
  for (const [utid, name] of names) {
    if (matches(process, name.pid, name.process) && matches(thread, name.tid, name.thread)) utids.push(utid);
  }
  return utids;
}

/** The processes that pass a test, as upids: each is tested by one of its threads. */
export function upidsWhere(
  names: ReadonlyMap<number, ThreadName>,
  passes: (name: ThreadName) => boolean,
): ReadonlySet<number> {
  const [seen, passing] = [new Set<number>(), new Set<number>()];
  for (const name of names.values()) {
    if (name.upid === null || seen.has(name.upid)) continue;
    seen.add(name.upid);
    if (passes(name)) passing.add(name.upid);
  }
  return passing;
}

function matches(wanted: string | null, id: number | null, name: string | null): boolean {
  return !wanted || String(id) === wanted || (name ?? '').toLowerCase().includes(wanted.toLowerCase());
}
