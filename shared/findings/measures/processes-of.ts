import { dataOf, numberAt } from '../../tables/index.ts';
import type { Recording } from './index.ts';

/** The processes of threads. */
export interface ProcessesOf {
  /** How many processes some threads are of; threads of an unknown process count for none. */
  count(threads: Iterable<{ readonly utid: number }>): number;
}

/** Reads which process each thread is of. */
export async function processesOf({ query }: Recording): Promise<ProcessesOf> {
  const upids = new Map<number, number>();
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_thread', ['utid', 'upid'])) {
    for (let row = 0; row < rowCount; row++) {
      const upid = numberAt(columns.upid, row);
      if (upid !== null) upids.set(columns.utid.values[row] ?? 0, upid);
    }
  }
  return { count: (threads) => new Set([...threads].flatMap(({ utid }) => upids.get(utid) ?? [])).size };
}
