import { oncePerTrace } from '../engine/index.ts';
import { readEventsOf, readFields } from '../events/index.ts';
import { numberAt, readRows, type Tables } from '../tables/index.ts';

/** How a process ended. */
export interface Exit {
  readonly upid: number;
  readonly pid: number;
  /** When the exit began. */
  readonly ts: number;
  /** When the process was gone. */
  readonly te: number;
  readonly begun_by: 'terminate' | 'last_thread';
  /** The thread that cleaned up; null where no end of a thread was recorded. */
  readonly last_thread: EndOfThread | null;
}

/** When a thread ended. */
export interface EndOfThread {
  readonly utid: number;
  readonly tid: number;
  readonly exit_ts: number;
}

/** How processes ended, and of how many that is not known. */
export interface Exits {
  /** By upid. */
  readonly known: ReadonlyMap<number, Exit>;
  readonly unknown: number;
}

/**
 * The exits of processes, as `etw_process_exit` tells them: each begins with the kernel's event, or with the end of the last thread, and ends
 * when the process is gone. Read once a trace.
 */
export const loadExits = oncePerTrace(async (tables: Tables): Promise<Exits> => {
  const ended = (await readRows(tables, 'etw_process', ['upid', 'pid', 'create_ts', 'exit_ts'])).filter(
    ({ exit_ts }) => exit_ts !== null,
  );
  const known = new Map<number, Exit>();
  if (ended.length === 0) return { known, unknown: 0 };
  const begins = await readBegins(tables);
  const lastThreads = await readLastThreads(tables);
  for (const { upid, pid, create_ts, exit_ts } of ended) {
    const te = Number(exit_ts);
    const created = Number(create_ts ?? -Infinity);
    const begin = begins.get(Number(pid))?.find((ts) => ts >= created && ts <= te);
    const last = lastThreads.get(Number(upid));
    const last_thread = last !== undefined && last.exit_ts <= te ? last : null;
    const ts = begin ?? last_thread?.exit_ts;
    if (ts === undefined) continue;
    known.set(Number(upid), {
      ...{ upid: Number(upid), pid: Number(pid) },
      ts,
      te,
      begun_by: begin === undefined ? 'last_thread' : 'terminate',
      last_thread,
    });
  }
  return { known, unknown: ended.length - known.size };
});

/** When exits began of the processes of each pid, in the order of time. */
async function readBegins(tables: Tables): Promise<ReadonlyMap<number, readonly number[]>> {
  const begins = new Map<number, number[]>();
  const events = await readEventsOf(
    tables,
    ({ provider, name }) => (provider === 'Process' && name === 'Terminate') || undefined,
  );
  for (const { ts, fields } of events) {
    const pid = readFields(fields)?.ProcessId;
    if (typeof pid !== 'number') continue;
    const of = begins.get(pid) ?? [];
    begins.set(pid, of);
    of.push(ts);
  }
  return begins;
}

/** The thread of each process that ended last, by upid. */
async function readLastThreads(tables: Tables): Promise<ReadonlyMap<number, EndOfThread>> {
  const last = new Map<number, EndOfThread>();
  for await (const { rowCount, columns } of tables.batches('etw_thread', ['utid', 'tid', 'upid', 'exit_ts']))
    for (let row = 0; row < rowCount; row++) {
      const upid = numberAt(columns.upid, row);
      const exit_ts = numberAt(columns.exit_ts, row);
      if (upid === null || exit_ts === null || exit_ts <= (last.get(upid)?.exit_ts ?? -Infinity)) continue;
      last.set(upid, { utid: columns.utid.values[row] ?? 0, tid: columns.tid.values[row] ?? 0, exit_ts });
    }
  return last;
}
