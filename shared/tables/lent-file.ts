import type { ColumnsFile } from '../engine/index.ts';

/**
 * The columns that SQL looks rows of a table up by. A key of a thread or a process has an index in all large tables: without one SQLite
 * makes its own for a join, of all rows and in memory.
 */
const LOOKUPS: Readonly<Record<string, readonly string[]>> = {
  etw_cpu_time: ['utid'],
  etw_disk_io: ['utid', 'upid'],
  etw_event_stack: ['utid'],
  etw_file_io: ['utid', 'upid'],
  etw_frame_function: ['frame'],
  etw_generic_event: ['utid'],
  etw_hard_fault: ['utid', 'upid'],
  etw_mapping: ['mapping'],
  etw_pmc_sample: ['utid'],
  etw_process: ['upid', 'pid'],
  etw_ready_wait: ['utid', 'waker_utid'],
  etw_ready_wait_long: ['utid', 'waker_utid'],
  etw_run: ['utid'],
  etw_run_counter: ['utid'],
  etw_sample: ['utid'],
  etw_thread: ['utid', 'tid', 'upid'],
};

/** What lasts stands in the order of its ends: these ascend. */
const LASTING: ColumnsFile['ranges'] = [
  { column: 'ts', ascends: false },
  { column: 'te', ascends: true },
];

/** The tables whose rows are numbered from 0 on: what SQL calls the number. */
const NUMBERED: Readonly<Record<string, string>> = { etw_callsite: 'callsite', etw_frame: 'frame' };

/** What happens at an instant, or is looked up by its beginning alone. */
const INSTANT: ColumnsFile['ranges'] = [{ column: 'ts', ascends: false }];

/** The times that SQL looks stretches of a table up by, and the kinds of events. */
const RANGES: Readonly<Record<string, ColumnsFile['ranges']>> = {
  etw_disk_io: INSTANT,
  etw_event_stack: INSTANT,
  etw_file_io: INSTANT,
  etw_generic_event: [
    { column: 'ts', ascends: true },
    { column: 'kind', ascends: false },
  ],
  etw_hard_fault: INSTANT,
  etw_interrupt: INSTANT,
  etw_pmc_sample: INSTANT,
  etw_ready_wait: LASTING,
  etw_ready_wait_long: LASTING,
  etw_run: LASTING,
  etw_run_counter: LASTING,
  etw_sample: INSTANT,
};

/** The file of a table, as an engine is lent it. */
export function lentFile(table: string, path: string): ColumnsFile {
  return { table, path, indexes: LOOKUPS[table], ranges: RANGES[table], numbered: NUMBERED[table] };
}
