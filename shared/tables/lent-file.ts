import type { ColumnsFile } from '../engine/index.ts';

/** The columns that SQL looks rows of a table up by. */
const LOOKUPS: Readonly<Record<string, readonly string[]>> = {
  etw_process: ['upid', 'pid'],
  etw_ready_wait: ['utid'],
  etw_run: ['utid'],
  etw_thread: ['utid', 'tid', 'upid'],
};

/** What lasts stands in the order of its ends: these ascend. */
const LASTING: ColumnsFile['ranges'] = [
  { column: 'ts', ascends: false },
  { column: 'te', ascends: true },
];

/** The times that SQL looks stretches of a table up by. */
const RANGES: Readonly<Record<string, ColumnsFile['ranges']>> = {
  etw_interrupt: [{ column: 'ts', ascends: false }],
  etw_ready_wait: LASTING,
  etw_ready_wait_long: LASTING,
  etw_run: LASTING,
};

/** The file of a table, as an engine is lent it. */
export function lentFile(table: string, path: string): ColumnsFile {
  return { table, path, indexes: LOOKUPS[table], ranges: RANGES[table] };
}
