import { oncePerTrace } from '../../engine/index.ts';
import { numberAt, textAt, type Tables } from '../../tables/index.ts';
import { loadProcesses, type NamedProcess } from '../../threads/index.ts';

/** A thread as rules name it. */
export interface NamedThread {
  readonly tid: number;
  readonly name: string | null;
  readonly upid: number | null;
  readonly process_name: string | null;
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
  return { threads, processes: await loadProcesses(tables) };
});
