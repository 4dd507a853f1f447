import { oncePerTrace } from '../../engine/index.ts';
import { numberAt, textAt, type Tables } from '../../tables/index.ts';

/** A thread as rules name it. */
export interface NamedThread {
  readonly tid: number;
  readonly name: string | null;
  readonly upid: number | null;
  readonly process_name: string | null;
}

/** A process as rules name it. */
export interface NamedProcess {
  readonly pid: number | null;
  readonly name: string | null;
  readonly services: string | null;
}

/** The threads and processes of a trace by their keys. */
export interface Names {
  readonly threads: ReadonlyMap<number, NamedThread>;
  readonly processes: ReadonlyMap<number, NamedProcess>;
}

/** Reads threads and processes; once a trace. */
export const loadNames = oncePerTrace(async (tables: Tables): Promise<Names> => {
  const threads = new Map<number, NamedThread>();
  const ofThread = ['utid', 'tid', 'name', 'upid', 'process_name'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_thread', ofThread))
    for (let row = 0; row < rowCount; row++)
      threads.set(columns.utid.values[row] ?? 0, {
        tid: columns.tid.values[row] ?? 0,
        name: textAt(columns.name, row),
        upid: numberAt(columns.upid, row),
        process_name: textAt(columns.process_name, row),
      });
  const processes = new Map<number, NamedProcess>();
  for await (const { rowCount, columns } of tables.batches('etw_process', [
    'upid',
    'pid',
    'name',
    'services',
  ]))
    for (let row = 0; row < rowCount; row++)
      processes.set(columns.upid.values[row] ?? 0, {
        pid: numberAt(columns.pid, row),
        name: textAt(columns.name, row),
        services: textAt(columns.services, row),
      });
  return { threads, processes };
});
