import { greatest, group, max } from 'd3';
import type { Query, Row } from '../engine/index.ts';
import {
  dataOf,
  numberAt,
  readTraceFacts,
  RowSeeker,
  textAt,
  visitRowsEnding,
  type Tables,
} from '../tables/index.ts';
import { loadKnownThreads, threadLabel, type KnownThreads } from '../threads/index.ts';

/** What is asked of the moments that are listed. */
export interface MomentsAsked {
  readonly at_least_ns: number;
  /** When the waits of each ended. */
  readonly ends: readonly (readonly number[])[];
  /** The ends of waits that began before the trace. */
  readonly since_start: ReadonlySet<number>;
}

/** A wait that ended in a moment. */
interface ListedWait {
  readonly moment: number;
  readonly te: number;
  readonly ready_ts: number;
  readonly utid: number;
  readonly waker_utid: number | null;
  readonly cause: string | null;
  /** Ready and, as far as the trace tells, blocked. */
  readonly seen_ns: number;
}

/** Who ended most of the waiting of a moment, and the longest wait that it ended. */
interface Best extends ListedWait {
  readonly released_sum_ns: number;
}

/** A thread, and a time at which it woke another. */
interface Wake {
  readonly utid: number;
  readonly ts: number;
}

const LISTED = ['ts', 'utid', 'waker_utid', 'cause', 'ended', 'last_switch_out_ts'] as const;
const WAKES = ['te', 'waker_utid', 'cause', 'last_switch_out_ts'] as const;
/** How far wakes are followed back. */
const MOST_STEPS = 100;

/** What ended in the moments listed, and who ended most of it in each. */
export async function describeMoments(query: Query, asked: MomentsAsked): Promise<Row[]> {
  const listed = group(await listedWaits(query, asked.ends), ({ moment }) => moment);
  const { tables } = dataOf(query);
  const threads = await loadKnownThreads(tables);
  const start_ts = (await readTraceFacts(tables))?.start_ts ?? 0;
  const waitedOf = ({ te, seen_ns }: ListedWait) => (asked.since_start.has(te) ? te - start_ts : seen_ns);
  const seek = seekersOf(tables, start_ts, max(asked.ends.flat()) ?? start_ts);
  const rows: Row[] = [];
  for (const [moment, waits] of [...listed].sort(([a], [b]) => a - b)) {
    const best = bestOf(waits, waitedOf);
    const begun = best.waker_utid === null ? null : await begunBy(seek, threads, best, asked.at_least_ns);
    const waker = best.waker_utid === null ? undefined : threads.of(best.waker_utid);
    const beginner = begun === null ? undefined : threads.of(begun.utid);
    const longest = threads.of(best.utid);
    rows.push({
      moment,
      waited_max_ns: max(waits, waitedOf) ?? 0,
      threads: new Set(waits.map(({ utid }) => utid)).size,
      processes: new Set(waits.flatMap(({ utid }) => threads.of(utid).upid ?? [])).size,
      cause: best.cause,
      released_sum_ns: best.released_sum_ns,
      waker_tid: waker?.tid ?? null,
      waker: waker === undefined ? null : threadLabel(waker),
      begun_tid: beginner?.tid ?? null,
      begun: beginner === undefined ? null : threadLabel(beginner),
      // Where no thread woke it, the thread that had waited longest is the one to look at.
      run_ts: best.waker_utid === null ? best.te : begun && (await lastRun(seek, begun)),
      run_tid: beginner?.tid ?? longest.tid,
      run_pid: (best.waker_utid === null ? longest : beginner)?.pid ?? null,
    });
  }
  return rows;
}

async function listedWaits(query: Query, ends: MomentsAsked['ends']): Promise<ListedWait[]> {
  const momentOf = new Map<number, number>();
  for (const [moment, own] of ends.entries()) for (const te of own) momentOf.set(te, moment);
  const times = Float64Array.from(momentOf.keys()).sort();
  const found: ListedWait[] = [];
  const { tables } = dataOf(query);
  await visitRowsEnding(tables, 'etw_ready_wait', LISTED, times, ({ columns }, row) => {
    const te = columns.te.values[row] ?? 0;
    const moment = momentOf.get(te);
    if (moment === undefined || columns.ended.values[row] !== 1) return;
    const ready_ts = columns.ts.values[row] ?? 0;
    found.push({
      moment,
      te,
      ready_ts,
      utid: columns.utid.values[row] ?? 0,
      waker_utid: numberAt(columns.waker_utid, row),
      cause: textAt(columns.cause, row),
      seen_ns: te - (numberAt(columns.last_switch_out_ts, row) ?? ready_ts),
    });
  });
  return found;
}

/** Who ended most of some waiting, with the longest wait of it. */
function bestOf(waits: readonly ListedWait[], waitedOf: (wait: ListedWait) => number): Best {
  const wakers = new Map<string, { released_sum_ns: number; longest_ns: number; longest: ListedWait }>();
  for (const wait of waits) {
    const key = `${wait.cause} ${wait.waker_utid}`;
    const waited_ns = waitedOf(wait);
    const of = wakers.get(key);
    if (of === undefined) {
      wakers.set(key, { released_sum_ns: waited_ns, longest_ns: waited_ns, longest: wait });
      continue;
    }
    of.released_sum_ns += waited_ns;
    if (waited_ns <= of.longest_ns) continue;
    of.longest_ns = waited_ns;
    of.longest = wait;
  }
  const best = greatest(wakers.values(), ({ released_sum_ns }) => released_sum_ns);
  if (best === undefined) throw new RangeError('no wait ended in a moment');
  return { ...best.longest, released_sum_ns: best.released_sum_ns };
}

interface Seekers {
  /** When the trace begins: nothing lies before. */
  readonly start_ts: number;
  readonly waits: RowSeeker<'utid', (typeof WAKES)[number]>;
  readonly runs: RowSeeker<'utid', never>;
}

function seekersOf(tables: Tables, start_ts: number, end: number): Seekers {
  const reach = { start: start_ts, end };
  return {
    start_ts,
    waits: new RowSeeker(tables, 'etw_ready_wait', 'utid', WAKES, reach),
    runs: new RowSeeker(tables, 'etw_run', 'utid', [], reach),
  };
}

/**
 * From who ended most of it to who had woken that one, and so on, while that one too had just waited, for `at_least_ns` and for
 * longer than what it then did until its own wake.
 */
async function begunBy(
  { start_ts, waits }: Seekers,
  threads: KnownThreads,
  { waker_utid, ready_ts }: Best,
  at_least_ns: number,
): Promise<Wake> {
  let wake: Wake = { utid: waker_utid ?? 0, ts: ready_ts };
  for (let step = 0; step < MOST_STEPS; step++) {
    const before = await wakeBefore(waits, wake);
    if (before?.waker_utid == null) break;
    const isOlder = threads.of(wake.utid).create_ts === null;
    const since_ts = before.last_switch_out_ts ?? (isOlder ? start_ts : before.ts);
    if (before.te - since_ts < Math.max(at_least_ns, wake.ts - before.te)) break;
    wake = { utid: before.waker_utid, ts: before.ts };
  }
  return wake;
}

/** The last wait of a thread that a ready event began before it woke another. */
async function wakeBefore(waits: Seekers['waits'], { utid, ts }: Wake) {
  for await (const { columns, row } of waits.before(utid, ts)) {
    if (textAt(columns.cause, row) !== 'wake') continue;
    return {
      ts: columns.ts.values[row] ?? 0,
      te: columns.te.values[row] ?? 0,
      waker_utid: numberAt(columns.waker_utid, row),
      last_switch_out_ts: numberAt(columns.last_switch_out_ts, row),
    };
  }
  return null;
}

/** When the last run of a thread began before it woke another; null where none did. */
async function lastRun({ runs }: Seekers, { utid, ts }: Wake): Promise<number | null> {
  for await (const { columns, row } of runs.before(utid, ts)) return columns.ts.values[row] ?? null;
  return null;
}
