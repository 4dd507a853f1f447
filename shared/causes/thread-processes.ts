import { numberAt, type Tables } from '../tables/index.ts';

/** The process of each thread, by keys; threads of none are left out. */
export async function processesOfThreads(tables: Tables): Promise<ReadonlyMap<number, number>> {
  const upids = new Map<number, number>();
  for await (const { rowCount, columns: of } of tables.batches('etw_thread', ['utid', 'upid'])) {
    for (let row = 0; row < rowCount; row++) {
      const upid = numberAt(of.upid, row);
      if (upid !== null) upids.set(of.utid.values[row] ?? 0, upid);
    }
  }
  return upids;
}
