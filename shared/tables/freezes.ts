import { numberAt, type Tables } from './tables.ts';

/** A span in which a process was frozen, as `etw_process_freeze` has it. */
export interface ProcessFreeze {
  readonly ts: number;
  readonly te: number;
  readonly upid: number | null;
  readonly pid: number;
  readonly frozen_by_utid: number | null;
  readonly open_start: boolean;
  readonly open_end: boolean;
}

const COLUMNS = ['ts', 'te', 'upid', 'pid', 'frozen_by_utid', 'open_start', 'open_end'] as const;

/** When processes were frozen, in the order of time. */
export async function readFreezes(tables: Tables): Promise<readonly ProcessFreeze[]> {
  const freezes: ProcessFreeze[] = [];
  for await (const { rowCount, columns } of tables.batches('etw_process_freeze', COLUMNS))
    for (let row = 0; row < rowCount; row++)
      freezes.push({
        ts: columns.ts.values[row] ?? 0,
        te: columns.te.values[row] ?? 0,
        upid: numberAt(columns.upid, row),
        pid: columns.pid.values[row] ?? 0,
        frozen_by_utid: numberAt(columns.frozen_by_utid, row),
        open_start: columns.open_start.values[row] === 1,
        open_end: columns.open_end.values[row] === 1,
      });
  return freezes.sort((a, b) => a.ts - b.ts);
}
