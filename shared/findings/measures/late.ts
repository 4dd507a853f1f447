import { group, maxIndex, sum } from 'd3';
import { numberAt } from '../../tables/index.ts';
import type { Measure, Recording } from './index.ts';
import { visitLongWaits } from './long-waits.ts';
import { processesOf } from './processes-of.ts';

/** The base priority of a normal thread in a normal process. */
const NORMAL = 8;
/** What one thread readied without a pause as long as this is one thing, */
const PAUSE_NS = 1_000_000;
/** if it readied as many threads. */
const FEWEST_THREADS = 10;

interface LateWait {
  readonly ts: number;
  readonly dur: number;
  readonly utid: number;
  readonly priority: number;
  /** Null where no thread is known that readied it. */
  readonly waker_utid: number | null;
}

/**
 * Threads of rank 0 and of normal or higher priority that were ready for at least the threshold: by thread, but those that one thread
 * readied together as one. `others`, `processes` and `readied_ns` are known of the latter alone, `more_waits` of the former.
 */
export const late: Measure = {
  columns: [
    ...['ts', 'dur', 'utid', 'priority', 'waker_utid', 'sum_ns', 'more_waits'],
    ...['others', 'processes', 'readied_ns'],
  ],
  async rows(recording, threshold) {
    const waits = await lateWaits(recording, threshold);
    const processes = await processesOf(recording);
    const alone: LateWait[] = [];
    const rows: number[][] = [];
    for (const [waker, own] of group(waits, ({ waker_utid }) => waker_utid)) {
      for (const together of momentsOf(own)) {
        const threads = new Set(together.map(({ utid }) => utid)).size;
        if (waker === null || threads < FEWEST_THREADS) {
          alone.push(...together);
          continue;
        }
        const readied_ns = (together.at(-1)?.ts ?? 0) - (together[0]?.ts ?? 0);
        rows.push([...rowOf(together), NaN, threads - 1, processes.count(together), readied_ns]);
      }
    }
    for (const own of group(alone, ({ utid }) => utid).values())
      rows.push([...rowOf(own), own.length - 1, NaN, NaN, NaN]);
    return rows.sort((a, b) => lostOf(b) - lostOf(a));
  },
};

/** What a row lost: of threads that were readied together the longest wait, of a thread all. */
function lostOf([, dur = 0, , , , sum_ns = 0, more_waits = NaN]: readonly number[]): number {
  return Number.isNaN(more_waits) ? dur : sum_ns;
}

function rowOf(waits: readonly LateWait[]): number[] {
  const longest = waits[maxIndex(waits, ({ dur }) => dur)];
  const { ts = 0, dur = 0, utid = 0, priority = NaN, waker_utid = null } = longest ?? {};
  return [ts, dur, utid, priority, waker_utid ?? NaN, sum(waits, (wait) => wait.dur)];
}

/** Waits of threads that one thread readied, in the order of time, cut where it paused. */
function momentsOf(waits: readonly LateWait[]): LateWait[][] {
  const sorted = [...waits].sort((a, b) => a.ts - b.ts);
  const moments: LateWait[][] = [];
  for (const wait of sorted) {
    const before = moments.at(-1);
    const before_ts = before?.at(-1)?.ts ?? -Infinity;
    if (before !== undefined && wait.ts - before_ts < PAUSE_NS) before.push(wait);
    else moments.push([wait]);
  }
  return moments;
}

async function lateWaits(recording: Recording, at_least_ns: number): Promise<LateWait[]> {
  const found: LateWait[] = [];
  await visitLongWaits(recording, at_least_ns, ['priority', 'waker_utid'], (wait, columns, row) => {
    const priority = numberAt(columns.priority, row) ?? 0;
    if (wait.rank !== 0 || priority < NORMAL) return;
    const { ts, dur, utid } = wait;
    found.push({ ts, dur, utid, priority, waker_utid: numberAt(columns.waker_utid, row) });
  });
  return found;
}
