import type { Query } from '../../shared/engine/index.ts';
import { countGaps } from '../../shared/recording/index.ts';
import { allLongFrom, dataOf, type Stretch, type Tables } from '../../shared/tables/index.ts';
import { loadKnownThreads, threadLabel, type KnownThreads } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { ChainLink, ChainThread, Release, StopReason } from './model.ts';
import { findReleases, type ReleasesAsked } from './releases.ts';
import { stopReason } from './stop.ts';
import { ThreadRows, type Run, type Wait } from './thread-rows.ts';

/** A time within a run, and the id of its thread. */
export interface RunAt {
  readonly ts: number;
  readonly tid: number;
}

/** A run, by the engine's own key of its thread. */
export interface ChainRun {
  readonly utid: number;
  readonly ts: number;
  readonly te: number;
}

/** A link of a chain, and what leads on from it. */
export interface FoundLink {
  readonly link: ChainLink;
  readonly waker_utid: number | null;
  /** When the thread had last blocked before it was woken; null if not within the trace. */
  readonly block_ts: number | null;
  /** Why the chain ends with it; null where it goes on to the waker. */
  readonly reason: StopReason | null;
}

/** The longest wait of a table that ended in a range, of those above a length; the first of equal ones. */
async function longestIn(
  tables: Tables,
  table: 'etw_ready_wait' | 'etw_ready_wait_long',
  { start, end }: Stretch,
  above_ns: number,
): Promise<{ readonly te: number; readonly utid: number } | null> {
  let found = { dur: above_ns, ts: -Infinity, te: 0, utid: 0 };
  const columns = ['ts', 'te', 'utid', 'ended'] as const;
  for await (const { rowCount, columns: of } of tables.batches(table, columns, { start, end })) {
    for (let row = 0; row < rowCount; row++) {
      const [ts, te] = [of.ts.values[row] ?? 0, of.te.values[row] ?? 0];
      if (te <= start || te >= end || te - ts < found.dur || of.ended.values[row] !== 1) continue;
      if (te - ts === found.dur && ts >= found.ts) continue;
      found = { dur: te - ts, ts, te, utid: of.utid.values[row] ?? 0 };
    }
  }
  return found.dur === above_ns ? null : found;
}

/** What chains are made of. It is read near the time that is asked for. */
export class ChainRows {
  readonly #query: Query;
  readonly #rows: ThreadRows;
  readonly #threads: KnownThreads;

  private constructor(query: Query, rows: ThreadRows, threads: KnownThreads) {
    [this.#query, this.#rows, this.#threads] = [query, rows, threads];
  }

  static async of(query: Query): Promise<ChainRows> {
    return new ChainRows(query, await ThreadRows.of(query), await loadKnownThreads(dataOf(query).tables));
  }

  /** The switch-in that ended the longest ready wait in a range; null where none ended in it. */
  async longest(range: TimeRange): Promise<RunAt | null> {
    const { tables, hasColumns } = dataOf(this.#query);
    const within = { start: Math.floor(range.start), end: Math.ceil(range.end) };
    // Most often the few that are the longest of the trace are enough.
    const long = hasColumns
      ? await longestIn(tables, 'etw_ready_wait_long', within, await allLongFrom(tables))
      : null;
    const found = long ?? (await longestIn(tables, 'etw_ready_wait', within, -1));
    if (found === null) return null;
    const { tid } = this.#threads.of(found.utid);
    return tid === null ? null : { ts: found.te, tid };
  }

  /** The run that goes on at a time, or else the first one after it. */
  async run({ ts, tid }: RunAt): Promise<ChainRun | null> {
    let first: ChainRun | null = null;
    for (const utid of this.#threads.withId(tid)) {
      const run = (await this.#runAt(utid, ts)) ?? (await this.#nextRun(utid, ts));
      if (run !== null && (first === null || run.ts < first.ts)) first = { utid, ts: run.ts, te: run.te };
    }
    return first;
  }

  /** The run that goes on at a time. */
  async #runAt(utid: number, ts: number): Promise<Run | null> {
    for await (const run of this.#rows.runsBefore(utid, ts)) return run.te > ts ? run : null;
    return null;
  }

  async #nextRun(utid: number, ts: number): Promise<Run | null> {
    for await (const run of this.#rows.runsFrom(utid, ts)) if (run.te > ts) return run;
    return null;
  }

  /** What a thread did up to a time, and who had woken it for that; null where it did not run. */
  async link(utid: number, until_ts: number, before_dpc: boolean): Promise<FoundLink | null> {
    const rows = this.#rows;
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
    if (own === undefined) return null;
    // A wake counts only if the thread did not block again after it.
    const woken = await rows.wakeBefore(utid, own.ts, block_ts ?? 0);
    const switch_in_ts = woken?.te ?? own.ts;
    const first = runs.find(({ ts }) => ts === switch_in_ts);
    if (first === undefined) return null;
    const since = runs.filter(({ ts }) => ts >= switch_in_ts);
    const seen = { range_start: block_ts ?? rows.start_ts, range_end: until_ts };
    const blocked = woken && this.#blocked(woken);
    return {
      link: {
        ...this.#thread(utid),
        ...{ before_dpc, until_ts, switch_in_ts },
        ran_ns: since.reduce((sum, { ts, te }) => sum + Math.min(te, until_ts) - ts, 0),
        runs: since.length,
        ready_ts: woken?.ts ?? null,
        ready_ns: woken && woken.te - woken.ts,
        blocked_ns: blocked?.ns ?? null,
        blocked_since_start: blocked?.sinceStart ?? false,
        wait_reason: woken && (await rows.reasonBefore(woken)),
        rank: woken?.rank ?? first.rank,
        priority: first.priority,
        cpu: first.cpu,
        woken_by: woken && this.#wakerLabel(woken),
      },
      waker_utid: woken?.waker_utid ?? null,
      block_ts,
      reason: stopReason({
        ...{ woken, block_ts },
        create_ts: this.#threads.of(utid).create_ts,
        events_lost: (await countGaps(dataOf(this.#query).tables, seen)) > 0,
      }),
    };
  }

  /** What a run released, by depth, then by time. */
  async released(asked: ReleasesAsked): Promise<readonly Release[]> {
    const releases: Release[] = [];
    for (const { wait, depth, parent, block_ts } of await findReleases(this.#rows, asked)) {
      const { utid, ts, te, ended, rank, priority } = wait;
      const blocked = this.#blocked(wait);
      releases.push({
        ...this.#thread(utid),
        ...{ depth, parent, ready_ts: ts },
        switch_in_ts: ended ? te : null,
        block_ts,
        waited_ns: te - ts + (blocked.ns ?? 0),
        ready_ns: te - ts,
        at_least: blocked.sinceStart || !ended,
        wait_reason: await this.#rows.reasonBefore(wait),
        ...{ rank, priority },
      });
    }
    return releases;
  }

  #thread(utid: number): ChainThread {
    const { tid, thread, pid, process, service } = this.#threads.of(utid);
    return { tid: tid ?? 0, thread, pid, process, service };
  }

  /** How long a thread had been blocked before a wait, and whether that began before the trace. */
  #blocked({ utid, ts, last_switch_out_ts }: Wait): {
    readonly ns: number | null;
    readonly sinceStart: boolean;
  } {
    const sinceStart = last_switch_out_ts === null && this.#threads.of(utid).create_ts === null;
    const from_ts = sinceStart ? this.#rows.start_ts : last_switch_out_ts;
    return { ns: from_ts === null ? null : ts - from_ts, sinceStart };
  }

  #wakerLabel({ waker_utid, waker_in_dpc }: Wait): string {
    const waker = waker_utid === null ? null : this.#threads.of(waker_utid);
    if (waker !== null && waker.tid !== null) return threadLabel({ ...waker, thread: null });
    return waker_in_dpc === 0 ? 'the idle thread' : 'a DPC';
  }
}
