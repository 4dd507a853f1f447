import { oncePerTrace } from '../engine/index.ts';
import { numberAt, textAt, type Tables } from '../tables/index.ts';
import { loadProcesses } from './processes.ts';
import { loadServices } from './services.ts';

/** A thread with what is known of it; all null of one that the trace does not describe. */
export type KnownThread = Readonly<
  Record<'upid' | 'tid' | 'pid' | 'base_priority' | 'create_ts' | 'exit_ts', number | null> &
    // The service is that which it works for, else those that its process hosts.
    Record<'thread' | 'process' | 'service', string | null>
>;

const UNKNOWN: KnownThread = {
  ...{ upid: null, tid: null, pid: null, base_priority: null, create_ts: null, exit_ts: null },
  ...{ thread: null, process: null, service: null },
};

const COLUMNS = [
  ...(['utid', 'tid', 'upid', 'pid', 'name', 'process_name'] as const),
  ...(['base_priority', 'create_ts', 'exit_ts'] as const),
] as const;

/** Threads by their keys, with the services that they work for. */
export class KnownThreads {
  readonly #threads: ReadonlyMap<number, KnownThread>;

  constructor(threads: ReadonlyMap<number, KnownThread>) {
    this.#threads = threads;
  }

  of(utid: number): KnownThread {
    return this.#threads.get(utid) ?? UNKNOWN;
  }

  /** The threads that had an id, one after the other. */
  withId(tid: number): readonly number[] {
    return [...this.#threads].filter(([, thread]) => thread.tid === tid).map(([utid]) => utid);
  }
}

/** Reads threads; once a trace. */
export const loadKnownThreads = oncePerTrace(async (tables: Tables) => {
  const processes = await loadProcesses(tables);
  const services = await loadServices(tables);
  const threads = new Map<number, KnownThread>();
  for await (const { rowCount, columns } of tables.batches('etw_thread', COLUMNS))
    for (let row = 0; row < rowCount; row++) {
      const utid = columns.utid.values[row] ?? 0;
      const upid = numberAt(columns.upid, row);
      threads.set(utid, {
        upid,
        tid: numberAt(columns.tid, row),
        pid: numberAt(columns.pid, row),
        base_priority: numberAt(columns.base_priority, row),
        create_ts: numberAt(columns.create_ts, row),
        exit_ts: numberAt(columns.exit_ts, row),
        thread: textAt(columns.name, row),
        process: textAt(columns.process_name, row),
        service: services.get(utid) ?? (upid === null ? null : (processes.get(upid)?.services ?? null)),
      });
    }
  return new KnownThreads(threads);
});
