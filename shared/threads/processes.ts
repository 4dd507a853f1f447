import { oncePerTrace } from '../engine/index.ts';
import { numberAt, textAt, type Tables } from '../tables/index.ts';
import type { NamedProcess } from './labels.ts';

/** All processes by upid. */
export const loadProcesses = oncePerTrace(
  async (tables: Tables): Promise<ReadonlyMap<number, NamedProcess>> => {
    const found = new Map<number, NamedProcess>();
    const names = ['upid', 'pid', 'name', 'services'] as const;
    for await (const { rowCount, columns } of tables.batches('etw_process', names))
      for (let row = 0; row < rowCount; row++)
        found.set(columns.upid.values[row] ?? 0, {
          process: textAt(columns.name, row),
          pid: numberAt(columns.pid, row),
          services: textAt(columns.services, row),
        });
    return found;
  },
);
