import { oncePerTrace } from '../engine/index.ts';
import { numberAt, textAt, type Tables } from '../tables/index.ts';
import type { NamedProcess, OwnedThread } from './labels.ts';
import { loadProcesses } from './processes.ts';
import { loadServices } from './services.ts';

/** What a thread is called, and its process; null is what is not known. */
export interface ThreadName extends NamedProcess, OwnedThread<number> {
  readonly pid: number | null;
  readonly process: string | null;
  readonly upid: number | null;
}

/** All threads by utid. */
export const loadThreadNames = oncePerTrace(
  async (tables: Tables): Promise<ReadonlyMap<number, ThreadName>> => {
    const processes = await loadProcesses(tables);
    const ownServices = await loadServices(tables);
    const names = new Map<number, ThreadName>();
    const of = ['utid', 'tid', 'upid', 'pid', 'name'] as const;
    for await (const { rowCount, columns } of tables.batches('etw_thread', of))
      for (let row = 0; row < rowCount; row++) {
        const utid = columns.utid.values[row] ?? 0;
        const [upid, pid] = [numberAt(columns.upid, row), numberAt(columns.pid, row)];
        const known = upid === null ? undefined : processes.get(upid);
        const services = known?.services ?? null;
        names.set(utid, {
          tid: columns.tid.values[row] ?? 0,
          thread: textAt(columns.name, row),
          upid,
          pid,
          // A process that only its threads name has no row.
          process: upid === null ? null : (known?.process ?? `pid ${pid ?? '?'}`),
          services,
          service: ownServices.get(utid) ?? services,
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
    if (isNamed(process, name.pid, name.process) && isNamed(thread, name.tid, name.thread)) utids.push(utid);
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

/** Whether an id is the wanted one, or a name contains the wanted text, whatever its case. All are where nothing is wanted. */
export function isNamed(wanted: string | null, id: number | null, name: string | null): boolean {
  return !wanted || String(id) === wanted || (name ?? '').toLowerCase().includes(wanted.toLowerCase());
}
