import { startsFromSizes, type Batch, type Stretch, type Values } from '../tables/index.ts';
import type { JudgedRanks } from '../why-late/columns/index.ts';
import type { ProcessCodes } from './process-codes.ts';
import type { WaitBins } from './wait-bins.ts';
import { binOf } from './bin-of.ts';
import { waitKey } from './wait-key.ts';

/** What is read of each wait. */
export const WAIT_ROW_COLUMNS = ['ts', 'te', 'utid', 'rank', 'priority', 'cause'] as const;
type Waits = Batch<(typeof WAIT_ROW_COLUMNS)[number]>;

/**
 * The waits of batches that a stretch of time touches, each a row of its own. Those of a process lie together, so that its sums find them in
 * the cache of a processor.
 */
export async function rowsByProcess(
  batches: AsyncIterable<Waits>,
  within: Stretch,
  judged: JudgedRanks,
  processes: ProcessCodes,
): Promise<WaitBins> {
  const next = new Uint32Array(processes.count);
  const all: Waits[] = [];
  for await (const batch of batches) {
    countIn(batch, within, processes, next);
    all.push(batch);
  }
  const size = startsFromSizes(next);
  const sum_ns = new Float64Array(size);
  const bins = {
    ...{ utid: new Uint32Array(size), key: new Uint32Array(size), count: new Uint32Array(size).fill(1) },
    ...{ sum_ns, max_ns: sum_ns },
  };
  for (const batch of all) putIn(batch, within, judged, processes, next, bins);
  return bins;
}

/** Adds how many waits each process has. */
function countIn(
  { rowCount, columns: { ts, te, utid } }: Waits,
  { start, end }: Stretch,
  processes: ProcessCodes,
  counts: Uint32Array,
): void {
  for (let row = 0; row < rowCount; row++) {
    if ((ts.values[row] ?? 0) >= end || (te.values[row] ?? 0) <= start) continue;
    const process = processes.of(utid.values[row] ?? 0);
    counts[process] = (counts[process] ?? 0) + 1;
  }
}

/** Puts each wait into the next row of its process. */
function putIn(
  { rowCount, columns: { ts, te, utid, rank, priority, cause } }: Waits,
  { start, end }: Stretch,
  judged: JudgedRanks,
  processes: ProcessCodes,
  next: Uint32Array,
  bins: WaitBins,
): void {
  const preemption = preemptionOf(cause);
  for (let row = 0; row < rowCount; row++) {
    const begin = ts.values[row] ?? 0;
    const until = te.values[row] ?? 0;
    if (begin >= end || until <= start) continue;
    const thread = utid.values[row] ?? 0;
    const judgement = judged.of(thread, begin);
    const rankCode = judgement === undefined ? codeAt(rank, row) : judgement.rank + 1;
    const preempted = Number(cause.values[row] === preemption);
    const dur_ns = until - begin;
    const process = processes.of(thread);
    const place = next[process] ?? 0;
    next[process] = place + 1;
    bins.utid[place] = thread;
    bins.key[place] = waitKey(rankCode, codeAt(priority, row), preempted, binOf(dur_ns));
    bins.sum_ns[place] = dur_ns;
  }
}

/** The number of a cause that says that the thread was preempted; none has -1. */
export function preemptionOf(cause: Values): number {
  return cause.texts?.indexOf('preempted') ?? -1;
}

/** A rank or a priority as keys have it: one higher, and 0 for none. */
export function codeAt({ present, values }: Values, row: number): number {
  return present?.[row] === 0 ? 0 : (values[row] ?? -1) + 1;
}
