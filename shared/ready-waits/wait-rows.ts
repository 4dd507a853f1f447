import { inGroups, startsFromSizes, type Batch, type Values } from '../tables/index.ts';
import type { JudgedRanks } from '../why-late/columns/index.ts';
import { binOf } from './bin-of.ts';
import type { ProcessCodes } from './process-codes.ts';
import type { WhichWaits } from './read-waits.ts';
import type { RowsByProcess, WaitCounts, WaitRows } from './wait-bins.ts';
import { waitKey } from './wait-key.ts';

// In loops over rows each column is a variable of its own: code that takes columns from objects is compiled for all kinds of columns at once.

/** What is read of each wait, and of waits that were counted when a trace was converted. */
export const WAIT_COLUMNS = {
  waits: ['ts', 'te', 'utid', 'rank', 'priority', 'cause'],
  counts: ['utid', 'rank', 'priority', 'cause', 'bin', 'waits', 'sum_ns', 'max_ns'],
} as const;
export type WaitColumn = (typeof WAIT_COLUMNS.waits)[number];
export type CountColumn = (typeof WAIT_COLUMNS.counts)[number];
type Waits = Batch<WaitColumn>;
type Counts = Batch<CountColumn>;

/** Some of the waits of a batch, in the order of their processes. Ranks are those that were judged, where any were. */
export function gatherWaits(
  batch: Waits,
  which: WhichWaits,
  judged: JudgedRanks,
  processes: ProcessCodes,
): WaitRows {
  const next = new Uint32Array(processes.count);
  addSizes(batch, which, processes, next);
  const count = startsFromSizes(next);
  const starts = next.slice();
  const columns = {
    utid: new Uint32Array(count),
    key: new Uint32Array(count),
    dur_ns: new Float64Array(count),
  };
  putWaits(batch, which, judged, processes, next, columns);
  // Each process ends where its next row would be put.
  return { ...columns, byProcess: onePieceEach(starts, next) };
}

/** Of each process that has rows one piece. */
function onePieceEach(processStarts: Uint32Array, processEnds: Uint32Array): RowsByProcess {
  const pieceEnds = new Uint32Array(processEnds.length);
  const [starts, ends] = [new Uint32Array(processEnds.length), new Uint32Array(processEnds.length)];
  let pieces = 0;
  for (let process = 0; process < pieceEnds.length; process++) {
    const start = processStarts[process] ?? 0;
    const end = processEnds[process] ?? 0;
    if (start < end) {
      starts[pieces] = start;
      ends[pieces++] = end;
    }
    pieceEnds[process] = pieces;
  }
  return { starts: starts.slice(0, pieces), ends: ends.slice(0, pieces), pieceEnds };
}

/** Adds how many waits each process has. */
function addSizes(
  { rowCount, columns }: Waits,
  { start, end, leftOut: { after_ts, until_ts } }: WhichWaits,
  processes: ProcessCodes,
  sizes: Uint32Array,
): void {
  const ts = columns.ts.values;
  const te = columns.te.values;
  const utid = columns.utid.values;
  for (let row = 0; row < rowCount; row++) {
    const until = te[row] ?? 0;
    if ((ts[row] ?? 0) >= end || until <= start || (until > after_ts && until <= until_ts)) continue;
    const process = processes.of(utid[row] ?? 0);
    sizes[process] = (sizes[process] ?? 0) + 1;
  }
}

/** Puts each wait into the next row of its process. */
function putWaits(
  { rowCount, columns }: Waits,
  { start, end, leftOut: { after_ts, until_ts } }: WhichWaits,
  judged: JudgedRanks,
  processes: ProcessCodes,
  next: Uint32Array,
  { utid: utids, key: keys, dur_ns: lengths_ns }: Omit<WaitRows, 'byProcess'>,
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
    if (begin >= end || until <= start || (until > after_ts && until <= until_ts)) continue;
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

/** Counts of waits. Those of a thread lie together in a batch: so they are not put into another order one by one. */
export function countsByProcess(batches: readonly Counts[], processes: ProcessCodes): WaitCounts {
  const size = batches.reduce((sum, { rowCount }) => sum + rowCount, 0);
  const counts = {
    ...{ utid: new Uint32Array(size), key: new Uint32Array(size), waits: new Uint32Array(size) },
    ...{ sum_ns: new Float64Array(size), max_ns: new Float64Array(size) },
  };
  let from = 0;
  for (const { rowCount, columns } of batches) {
    counts.utid.set(columns.utid.values, from);
    counts.waits.set(columns.waits.values, from);
    counts.sum_ns.set(columns.sum_ns.values, from);
    counts.max_ns.set(columns.max_ns.values, from);
    putKeys(rowCount, columns, counts.key.subarray(from, from + rowCount));
    from += rowCount;
  }
  return { ...counts, byProcess: piecesByProcess(counts.utid, processes) };
}

function putKeys(rowCount: number, columns: Counts['columns'], keys: Uint32Array): void {
  const rank = columns.rank.values;
  const hasRank = columns.rank.present;
  const priority = columns.priority.values;
  const hasPriority = columns.priority.present;
  const cause = columns.cause.values;
  const bin = columns.bin.values;
  const preemption = preemptionOf(columns.cause);
  for (let row = 0; row < rowCount; row++) {
    const rankCode = hasRank !== null && hasRank[row] === 0 ? 0 : (rank[row] ?? 0) + 1;
    const priorityCode = hasPriority !== null && hasPriority[row] === 0 ? 0 : (priority[row] ?? 0) + 1;
    keys[row] = waitKey(rankCode, priorityCode, Number(cause[row] === preemption), bin[row] ?? 0);
  }
}

/** The pieces in which rows are of one thread, in the order of the processes. */
function piecesByProcess(utid: Uint32Array, processes: ProcessCodes): RowsByProcess {
  const firsts: number[] = [];
  const codes: number[] = [];
  let last = -1;
  for (let row = 0; row < utid.length; row++) {
    const thread = utid[row] ?? 0;
    if (thread === last) continue;
    last = thread;
    firsts.push(row);
    codes.push(processes.of(thread));
  }
  const { rows: order, ends: pieceEnds } = inGroups(Uint32Array.from(codes), processes.count);
  return {
    starts: order.map((piece) => firsts[piece] ?? 0),
    ends: order.map((piece) => firsts[piece + 1] ?? utid.length),
    pieceEnds,
  };
}

/** The number of a cause that says that the thread was preempted; none has -1. */
function preemptionOf(cause: Values): number {
  return cause.texts?.indexOf('preempted') ?? -1;
}
