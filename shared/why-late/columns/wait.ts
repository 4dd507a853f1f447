import { toNumber, type Row } from '../../engine/index.ts';
import { numberAt, type Batch } from '../../tables/index.ts';

/** A wait for a CPU, a row of `etw_ready_wait`. */
export interface Wait {
  /** When the thread became ready. */
  readonly ts: number;
  /** When it was switched in, or the trace ended. */
  readonly te: number;
  readonly utid: number;
  /** The rank that it is taken to have waited at. */
  readonly rank: number | null;
  readonly priority: number | null;
  /** The CPU that took it; null for a wait that was not seen to end. */
  readonly cpu: number | null;
  /** Flags of the ready event; null for a thread that was put aside. */
  readonly flags: number | null;
  /** When the last of several ready events came. */
  readonly last_ready_ts: number | null;
}

/** Flags of a ready event: the kernel stack or the process was swapped out. */
const SWAPPED_OUT = 6;

/** Whether the thread was not in memory when it was readied. */
export function wasSwappedOut({ flags }: Pick<Wait, 'flags'>): boolean {
  return ((flags ?? 0) & SWAPPED_OUT) > 0;
}

/** A wait of a row that has all its columns. */
export function readWait(row: Row): Wait {
  return {
    ts: Number(row.ts),
    te: Number(row.te),
    utid: Number(row.utid),
    rank: toNumber(row.rank),
    priority: toNumber(row.priority),
    cpu: toNumber(row.cpu),
    flags: toNumber(row.flags),
    last_ready_ts: toNumber(row.last_ready_ts),
  };
}

/** The columns of {@link Wait}. */
export const WAIT_COLUMNS = [
  ...(['ts', 'te', 'utid', 'rank', 'priority'] as const),
  ...(['cpu', 'flags', 'last_ready_ts'] as const),
] as const;

/** A wait of a row of columns; its rank is the one that the row has. */
export function waitAt(
  { columns }: Pick<Batch<(typeof WAIT_COLUMNS)[number]>, 'columns'>,
  row: number,
): Wait {
  return {
    ts: columns.ts.values[row] ?? 0,
    te: columns.te.values[row] ?? 0,
    utid: columns.utid.values[row] ?? 0,
    rank: numberAt(columns.rank, row),
    priority: numberAt(columns.priority, row),
    cpu: numberAt(columns.cpu, row),
    flags: numberAt(columns.flags, row),
    last_ready_ts: numberAt(columns.last_ready_ts, row),
  };
}
