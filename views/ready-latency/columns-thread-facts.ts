import { oncePerTrace, type Query } from '../../shared/engine/index.ts';
import { dataOf, numberAt, textAt } from '../../shared/tables/index.ts';

/** What `etw_thread` tells of a thread. */
export interface ThreadFacts {
  readonly tid: number | null;
  readonly thread: string | null;
  readonly pid: number | null;
  readonly process: string | null;
  readonly base_priority: number | null;
  readonly create_ts: number | null;
}

/** The threads of a trace by their keys; asked once. */
export const loadThreadFacts = oncePerTrace(
  async (query: Query): Promise<ReadonlyMap<number, ThreadFacts>> => {
    const threads = new Map<number, ThreadFacts>();
    const names = ['utid', 'tid', 'pid', 'process_name', 'name', 'base_priority', 'create_ts'] as const;
    for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_thread', names)) {
      for (let row = 0; row < rowCount; row++) {
        threads.set(columns.utid.values[row] ?? 0, {
          tid: numberAt(columns.tid, row),
          thread: textAt(columns.name, row),
          pid: numberAt(columns.pid, row),
          process: textAt(columns.process_name, row),
          base_priority: numberAt(columns.base_priority, row),
          create_ts: numberAt(columns.create_ts, row),
        });
      }
    }
    return threads;
  },
);
