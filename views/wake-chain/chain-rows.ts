import type { Query, Row } from '../../shared/engine/index.ts';
import { countGaps } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadKnownThreads } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { findReleases, type ReleasesAsked } from './releases.ts';
import { ThreadRows, type Run } from './thread-rows.ts';

/** A time within a run, and the id of its thread. */
export interface RunAt {
  readonly ts: number;
  readonly tid: number;
}

/** The rows that chains are made of. */
export interface ChainRows {
  /** The switch-in that ended the longest ready wait in a range; null where none ended in it. */
  longest(range: TimeRange): Promise<RunAt | null>;
  /** The run that goes on at a time, or else the first one after it: `utid`, `ts`, `te`. */
  run(at: RunAt): Promise<Row | undefined>;
  /** What a thread did up to a time, and who had woken it for that. */
  link(utid: number, until_ts: number): Promise<Row | undefined>;
  /** What a run released, by depth, then by time. */
  released(asked: ReleasesAsked): Promise<readonly Row[]>;
}

/** The rows of a trace. They are read near the time that is asked for. */
export async function chainRows(query: Query): Promise<ChainRows> {
  const rows = await ThreadRows.of(query);
  return {
    longest: (range) => longest(query, range),
    run: (at) => firstRun(query, rows, at),
    link: (utid, until_ts) => link(query, rows, utid, until_ts),
    released: (asked) => released(query, rows, asked),
  };
}

async function longest(query: Query, range: TimeRange): Promise<RunAt | null> {
  const { start, end } = { start: Math.floor(range.start), end: Math.ceil(range.end) };
  let found = { dur: -1, ts: 0, te: 0, utid: 0 };
  const columns = ['ts', 'te', 'utid', 'ended'] as const;
  const batches = dataOf(query).tables.batches('etw_ready_wait', columns, { start, end });
  for await (const { rowCount, columns: of } of batches) {
    for (let row = 0; row < rowCount; row++) {
      const [ts, te] = [of.ts.values[row] ?? 0, of.te.values[row] ?? 0];
      if (te <= start || te >= end || te - ts < found.dur || of.ended.values[row] !== 1) continue;
      if (te - ts === found.dur && ts >= found.ts) continue;
      found = { dur: te - ts, ts, te, utid: of.utid.values[row] ?? 0 };
    }
  }
  if (found.dur < 0) return null;
  const { tid } = (await loadKnownThreads(dataOf(query).tables)).of(found.utid);
  return tid === null ? null : { ts: found.te, tid };
}

async function firstRun(query: Query, rows: ThreadRows, { ts, tid }: RunAt): Promise<Row | undefined> {
  let first: Row | undefined;
  for (const utid of (await loadKnownThreads(dataOf(query).tables)).withId(tid)) {
    const run = (await runAt(rows, utid, ts)) ?? (await nextRun(rows, utid, ts));
    if (run !== null && (first === undefined || run.ts < Number(first.ts)))
      first = { utid, ts: run.ts, te: run.te };
  }
  return first;
}

/** The run that goes on at a time. */
async function runAt(rows: ThreadRows, utid: number, ts: number): Promise<Run | null> {
  for await (const run of rows.runsBefore(utid, ts)) return run.te > ts ? run : null;
  return null;
}

async function nextRun(rows: ThreadRows, utid: number, ts: number): Promise<Run | null> {
  for await (const run of rows.runsFrom(utid, ts)) if (run.te > ts) return run;
  return null;
}

async function link(
  query: Query,
  rows: ThreadRows,
  utid: number,
  until_ts: number,
): Promise<Row | undefined> {
  // From the run that had begun last, back to before the last time at which the thread blocked or was lost sight of.
  const runs: Run[] = [];
  let block_ts: number | null = null;
  for await (const run of rows.runsBefore(utid, until_ts)) {
    if (runs.length > 0 && (await rows.hasBlocked(utid, run))) {
      block_ts = run.te;
      break;
    }
    runs.push(run);
  }
  const [own] = runs;
  if (own === undefined) return undefined;
  // A wake counts only if the thread did not block again after it.
  const woken = await rows.wakeBefore(utid, own.ts, block_ts ?? 0);
  const switch_in_ts = woken?.te ?? own.ts;
  const first = runs.find(({ ts }) => ts === switch_in_ts);
  if (first === undefined) return undefined;
  const since = runs.filter(({ ts }) => ts >= switch_in_ts);
  const waker_utid = woken?.waker_utid ?? null;
  const { tables } = dataOf(query);
  const threads = await loadKnownThreads(tables);
  const waker = waker_utid === null ? undefined : threads.of(waker_utid);
  const seen = { range_start: block_ts ?? rows.start_ts, range_end: until_ts };
  return {
    ...threads.of(utid),
    utid,
    switch_in_ts,
    ran_ns: since.reduce((sum, { ts, te }) => sum + Math.min(te, until_ts) - ts, 0),
    runs: since.length,
    cpu: first.cpu,
    priority: first.priority,
    rank: woken?.rank ?? first.rank,
    ready_ts: woken?.ts ?? null,
    ready_ns: woken === null ? null : woken.te - woken.ts,
    waker_utid,
    waker_in_dpc: woken?.waker_in_dpc ?? null,
    blocked_ns: woken?.last_switch_out_ts == null ? null : woken.ts - woken.last_switch_out_ts,
    wait_reason: woken === null ? null : await rows.reasonBefore(woken),
    waker_tid: waker?.tid ?? null,
    waker_process: waker?.process ?? null,
    waker_service: waker?.service ?? null,
    block_ts,
    events_lost: Number((await countGaps(tables, seen)) > 0),
    start_ts: rows.start_ts,
  };
}

async function released(query: Query, rows: ThreadRows, asked: ReleasesAsked): Promise<readonly Row[]> {
  const found = await findReleases(rows, asked);
  const threads = await loadKnownThreads(dataOf(query).tables);
  const releases: Row[] = [];
  for (const { wait, depth, waker_utid, waker_ts, block_ts } of found) {
    const { utid, ts, te, rank, priority, last_switch_out_ts } = wait;
    releases.push({
      ...threads.of(utid),
      ...{ depth, waker_utid, waker_ts, utid, ready_ts: ts, ts: te, block_ts, rank, priority },
      ended: Number(wait.ended),
      ready_ns: te - ts,
      last_switch_out_ts,
      blocked_ns: last_switch_out_ts === null ? null : ts - last_switch_out_ts,
      wait_reason: await rows.reasonBefore(wait),
      start_ts: rows.start_ts,
    });
  }
  return releases;
}
