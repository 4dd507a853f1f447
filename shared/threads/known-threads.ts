import { oncePerTrace, type Query } from '../engine/index.ts';
import { dataOf, firstRow, numberAt, textAt, type Tables } from '../tables/index.ts';
import { loadProcesses } from './processes.ts';
import { loadServices } from './services.ts';

/** A thread with what is known of it; all null of one that the trace does not describe. */
export type KnownThread = Readonly<
  Record<'upid' | 'tid' | 'pid' | 'create_ts', number | null> &
    // The service is that which it works for, else those that its process hosts.
    Record<'thread' | 'process' | 'service', string | null>
>;

const UNKNOWN: KnownThread = {
  ...{ upid: null, tid: null, pid: null, create_ts: null },
  ...{ thread: null, process: null, service: null },
};

/** Threads by their keys, with the services that they work for; read when some are first needed. */
export class KnownThreads {
  readonly #query: Query;
  #threads: ReadonlyMap<number, KnownThread> | null = null;
  /** When the trace begins, once a thread was asked for. */
  start_ts = 0;

  constructor(query: Query) {
    this.#query = query;
  }

  async need(utids: readonly number[]): Promise<void> {
    if (utids.length > 0) await this.#read();
  }

  /** The threads that had an id, one after the other. */
  async withId(tid: number): Promise<readonly number[]> {
    const threads = await this.#read();
    return [...threads].filter(([, thread]) => thread.tid === tid).map(([utid]) => utid);
  }

  /** Undefined until some are needed. */
  of(utid: number): KnownThread | undefined {
    return this.#threads === null ? undefined : (this.#threads.get(utid) ?? UNKNOWN);
  }

  async #read(): Promise<ReadonlyMap<number, KnownThread>> {
    if (this.#threads !== null) return this.#threads;
    const { tables } = dataOf(this.#query);
    this.start_ts = Number((await firstRow(tables, 'etw_trace', ['start_ts']))?.start_ts ?? 0);
    return (this.#threads = await readThreads(tables));
  }
}

/** Another question asks for the same threads. */
export const loadKnownThreads = oncePerTrace((query: Query) => Promise.resolve(new KnownThreads(query)));

async function readThreads(tables: Tables): Promise<ReadonlyMap<number, KnownThread>> {
  const processes = await loadProcesses(tables);
  const services = await loadServices(tables);
  const threads = new Map<number, KnownThread>();
  const names = ['utid', 'tid', 'upid', 'pid', 'name', 'process_name', 'create_ts'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_thread', names))
    for (let row = 0; row < rowCount; row++) {
      const utid = columns.utid.values[row] ?? 0;
      const upid = numberAt(columns.upid, row);
      threads.set(utid, {
        upid,
        tid: numberAt(columns.tid, row),
        pid: numberAt(columns.pid, row),
        create_ts: numberAt(columns.create_ts, row),
        thread: textAt(columns.name, row),
        process: textAt(columns.process_name, row),
        service: services.get(utid) ?? (upid === null ? null : (processes.get(upid)?.services ?? null)),
      });
    }
  return threads;
}
