import type { Query } from '../../shared/engine/index.ts';
import { dataOf, numberAt } from '../../shared/tables/index.ts';
import { stateOf, type Lane, type Step } from '../../shared/timeline/index.ts';
import type { Base } from './base.ts';
import type { Question, Stretch, WokenAnswer } from './questions.ts';
import { stretchAt } from './stretch.ts';

/** So many arrows are drawn: more are a curtain. */
const MOST_WAKES = 200;

/** A ready wait that began by a wake. */
interface Wake {
  readonly ts: number;
  readonly te: number;
  readonly utid: number;
}

/** Whom a thread woke within a time. */
export async function wokenIn(
  query: Query,
  { utid, start, end }: Extract<Question, { kind: 'wakes' }>,
): Promise<WokenAnswer> {
  const wakes: { readonly ts: number; readonly utid: number }[] = [];
  const threads = new Set<number>();
  let count = 0;
  for await (const { ts, utid: woken } of wakesBy(query, utid, start, end)) {
    count++;
    threads.add(woken);
    if (wakes.length < MOST_WAKES) wakes.push({ ts, utid: woken });
  }
  return { count, threads: threads.size, wakes };
}

/**
 * Of the threads that a thread woke while it ran, or in its next run if it did not run, what the one did that was then ready longest; null
 * where it woke none.
 */
export async function longestWoken(
  query: Query,
  base: Base,
  { utid, ts }: Extract<Question, { kind: 'woken' }>,
): Promise<Stretch | null> {
  const lane = base.lanes.threads.get(utid)?.lane;
  const run = lane === undefined ? null : nextRun(lane, ts);
  let longest: Wake | null = null;
  if (run !== null)
    for await (const wake of wakesBy(query, utid, run.ts, run.te))
      if (longest === null || wake.te - wake.ts > longest.te - longest.ts) longest = wake;
  return longest === null ? null : stretchAt(query, base, `t${longest.utid}`, longest.ts);
}

/** The run of a thread at a time, or the next one; null after the last. */
function nextRun(lane: Lane, ts: number): Step | null {
  let step = lane.at(ts);
  while (stateOf(step.value) !== 'running' && step.te !== Infinity) step = lane.at(step.te);
  return stateOf(step.value) === 'running' ? step : null;
}

/** A DPC woke what became ready in it, not the thread that it interrupted. */
async function* wakesBy(query: Query, waker: number, start: number, end: number): AsyncIterable<Wake> {
  const names = ['ts', 'te', 'utid', 'waker_utid', 'waker_in_dpc'] as const;
  const within = { start, end: end + 1 };
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_ready_wait', names, within)) {
    for (let row = 0; row < rowCount; row++) {
      const ts = columns.ts.values[row] ?? 0;
      const isItsOwn = numberAt(columns.waker_utid, row) === waker && columns.waker_in_dpc.values[row] !== 1;
      if (!isItsOwn || ts < start || ts > end) continue;
      yield { ts, te: columns.te.values[row] ?? ts, utid: columns.utid.values[row] ?? -1 };
    }
  }
}
