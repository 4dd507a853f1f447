import { startsFromSizes, type Batch, type Stretch, type Values } from '../tables/index.ts';
import type { JudgedRanks } from '../why-late/columns/index.ts';
import { binOf } from './bin-of.ts';
import type { ProcessCodes } from './process-codes.ts';
import type { WaitCounts, WaitRows } from './wait-bins.ts';
import { waitKey } from './wait-key.ts';

// In loops over rows each column is a variable of its own: code that takes columns from objects is compiled for all kinds of columns at once.

/** What is read of each wait. */
export const WAIT_ROW_COLUMNS = ['ts', 'te', 'utid', 'rank', 'priority', 'cause'] as const;
type Waits = Batch<(typeof WAIT_ROW_COLUMNS)[number]>;

/** The waits that a stretch of time touches, in the order of their processes. Ranks are those that were judged, where any were. */
export function rowsByProcess(
  batches: readonly Waits[],
  within: Stretch,
  judged: JudgedRanks,
  processes: ProcessCodes,
): WaitRows {
  const next = new Uint32Array(processes.count);
  for (const batch of batches) addSizes(batch, within, processes, next);
  const size = startsFromSizes(next);
  const [utid, key] = [new Uint32Array(size), new Uint32Array(size)];
  // Once all are put, the next row of a process is the first one of the next process.
  const rows: WaitRows = { utid, key, dur_ns: new Float64Array(size), ends: next };
  for (const batch of batches) putWaits(batch, within, judged, processes, next, rows);
  return rows;
}

/** Adds how many waits each process has. */
function addSizes(
  { rowCount, columns }: Waits,
  { start, end }: Stretch,
  processes: ProcessCodes,
  sizes: Uint32Array,
): void {
  const ts = columns.ts.values;
  const te = columns.te.values;
  const utid = columns.utid.values;
  for (let row = 0; row < rowCount; row++) {
    if ((ts[row] ?? 0) >= end || (te[row] ?? 0) <= start) continue;
    const process = processes.of(utid[row] ?? 0);
    sizes[process] = (sizes[process] ?? 0) + 1;
  }
}

/** Puts each wait into the next row of its process. */
function putWaits(
  { rowCount, columns }: Waits,
  { start, end }: Stretch,
  judged: JudgedRanks,
  processes: ProcessCodes,
  next: Uint32Array,
  { utid: utids, key: keys, dur_ns: lengths_ns }: WaitRows,
): void {
  const ts = columns.ts.values;
  const te = columns.te.values;
  const utid = columns.utid.values;
  const rank = columns.rank.values;
  const hasRank = columns.rank.present;
  const priority = columns.priority.values;
  const hasPriority = columns.priority.present;
  const cause = columns.cause.values;
  const preemption = preemptionOf(columns.cause);
  for (let row = 0; row < rowCount; row++) {
    const begin = ts[row] ?? 0;
    const until = te[row] ?? 0;
    if (begin >= end || until <= start) continue;
    const thread = utid[row] ?? 0;
    const recordedCode = hasRank !== null && hasRank[row] === 0 ? 0 : (rank[row] ?? 0) + 1;
    const judgement = judged.of(thread, begin);
    const rankCode = judgement === undefined ? recordedCode : judgement.rank + 1;
    const priorityCode = hasPriority !== null && hasPriority[row] === 0 ? 0 : (priority[row] ?? 0) + 1;
    const dur_ns = until - begin;
    const process = processes.of(thread);
    const place = next[process] ?? 0;
    next[process] = place + 1;
    utids[place] = thread;
    keys[place] = waitKey(rankCode, priorityCode, Number(cause[row] === preemption), binOf(dur_ns));
    lengths_ns[place] = dur_ns;
  }
}

/** What is read of waits that were counted when a trace was converted. */
export const WAIT_COUNT_COLUMNS = [
  ...(['utid', 'rank', 'priority', 'cause'] as const),
  ...(['bin', 'waits', 'sum_ns', 'max_ns'] as const),
] as const;
type Counts = Batch<(typeof WAIT_COUNT_COLUMNS)[number]>;

/** Counts of waits in the order of their processes. */
export function countsByProcess(batches: readonly Counts[], processes: ProcessCodes): WaitCounts {
  const next = new Uint32Array(processes.count);
  for (const { rowCount, columns } of batches) {
    const utid = columns.utid.values;
    for (let row = 0; row < rowCount; row++) {
      const process = processes.of(utid[row] ?? 0);
      next[process] = (next[process] ?? 0) + 1;
    }
  }
  const size = startsFromSizes(next);
  const counts: WaitCounts = {
    ...{ utid: new Uint32Array(size), key: new Uint32Array(size), waits: new Uint32Array(size) },
    ...{ sum_ns: new Float64Array(size), max_ns: new Float64Array(size), ends: next },
  };
  for (const batch of batches) putCounts(batch, processes, next, counts);
  return counts;
}

/** Puts each count into the next row of its process. */
function putCounts(
  { rowCount, columns }: Counts,
  processes: ProcessCodes,
  next: Uint32Array,
  counts: WaitCounts,
): void {
  const utid = columns.utid.values;
  const rank = columns.rank.values;
  const hasRank = columns.rank.present;
  const priority = columns.priority.values;
  const hasPriority = columns.priority.present;
  const cause = columns.cause.values;
  const bin = columns.bin.values;
  const waits = columns.waits.values;
  const sum_ns = columns.sum_ns.values;
  const max_ns = columns.max_ns.values;
  const preemption = preemptionOf(columns.cause);
  for (let row = 0; row < rowCount; row++) {
    const thread = utid[row] ?? 0;
    const rankCode = hasRank !== null && hasRank[row] === 0 ? 0 : (rank[row] ?? 0) + 1;
    const priorityCode = hasPriority !== null && hasPriority[row] === 0 ? 0 : (priority[row] ?? 0) + 1;
    const process = processes.of(thread);
    const place = next[process] ?? 0;
    next[process] = place + 1;
    counts.utid[place] = thread;
    counts.key[place] = waitKey(rankCode, priorityCode, Number(cause[row] === preemption), bin[row] ?? 0);
    counts.waits[place] = waits[row] ?? 0;
    counts.sum_ns[place] = sum_ns[row] ?? 0;
    counts.max_ns[place] = max_ns[row] ?? 0;
  }
}

/** The number of a cause that says that the thread was preempted; none has -1. */
function preemptionOf(cause: Values): number {
  return cause.texts?.indexOf('preempted') ?? -1;
}
