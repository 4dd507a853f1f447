import type { Query } from '../../shared/engine/index.ts';
import { dataOf, traceRow, numberAt, RowSeeker, textAt, type RowAt } from '../../shared/tables/index.ts';
import { judgedRanksOf } from '../../shared/why-late/columns/index.ts';

const RUN_COLUMNS = [
  'te',
  'cpu',
  'priority',
  'rank',
  'ended',
  'switch_out_state',
  'switch_out_wait_reason',
] as const;
const WAIT_COLUMNS = [
  'te',
  'utid',
  'cause',
  'waker_utid',
  'waker_in_dpc',
  'priority',
  'rank',
  'rank_before',
  'rank_after',
  'cpu',
  'last_switch_out_ts',
] as const;

/** A run of a thread, as `etw_run` has it. */
export interface Run {
  readonly ts: number;
  readonly te: number;
  readonly cpu: number;
  readonly priority: number | null;
  readonly rank: number | null;
  readonly ended: boolean;
  readonly switch_out_state: string | null;
  readonly wait_reason: string | null;
}

/** A ready wait of a thread, as `etw_ready_wait` has it. */
export interface Wait {
  readonly utid: number;
  readonly ts: number;
  readonly te: number;
  readonly is_wake: boolean;
  readonly waker_utid: number | null;
  readonly waker_in_dpc: number | null;
  readonly priority: number | null;
  readonly rank: number | null;
  readonly ended: boolean;
  readonly last_switch_out_ts: number | null;
}

/** What happened at one time stands 1 ns apart: the last rows may begin so long after the end. */
const PAST_END_NS = 1_000_000;

/** States in which a thread that was switched out can run at once. */
const RUNNABLE: ReadonlySet<string> = new Set(['Ready', 'Standby', 'DeferredReady']);

/** The runs and ready waits of single threads, from any time on, in columns. */
export class ThreadRows {
  readonly start_ts: number;
  readonly #query: Query;
  readonly #hasNoWakes: boolean;
  readonly #runs;
  readonly #waits;
  readonly #woken;

  private constructor(query: Query, start_ts: number, end_ts: number, hasNoWakes: boolean) {
    [this.#query, this.start_ts, this.#hasNoWakes] = [query, start_ts, hasNoWakes];
    const { tables } = dataOf(query);
    const reach = { start: start_ts, end: end_ts + PAST_END_NS };
    this.#runs = new RowSeeker(tables, 'etw_run', 'utid', RUN_COLUMNS, reach);
    this.#waits = new RowSeeker(tables, 'etw_ready_wait', 'utid', WAIT_COLUMNS, reach);
    this.#woken = new RowSeeker(tables, 'etw_ready_wait', 'waker_utid', WAIT_COLUMNS, reach);
  }

  static async of(query: Query): Promise<ThreadRows> {
    const columns = ['start_ts', 'end_ts', 'ready_threads'] as const;
    const about = await traceRow(dataOf(query).tables, columns);
    return new ThreadRows(
      query,
      Number(about?.start_ts ?? 0),
      Number(about?.end_ts ?? 0),
      about?.ready_threads === 0,
    );
  }

  /** The runs of a thread that begin before a time, the last one first. */
  async *runsBefore(utid: number, ts: number): AsyncGenerator<Run> {
    for await (const at of this.#runs.before(utid, ts)) yield runAt(at);
  }

  /** The runs of a thread that begin at a time or later. */
  async *runsFrom(utid: number, ts: number): AsyncGenerator<Run> {
    for await (const at of this.#runs.from(utid, ts)) yield runAt(at);
  }

  /** The last wait that began before a time, by a ready event, and ended after another; null where none did. */
  async wakeBefore(utid: number, ts: number, after_ts: number): Promise<Wait | null> {
    for await (const at of this.#waits.before(utid, ts)) {
      const wait = waitAt(at);
      if (wait.te <= after_ts) break;
      if (wait.is_wake) return this.#judged(wait, at);
    }
    return null;
  }

  /** The first wait that begins at a time or later. */
  async waitFrom(utid: number, ts: number): Promise<Wait | null> {
    for await (const at of this.#waits.from(utid, ts)) return waitAt(at);
    return null;
  }

  /** The waits that a thread's ready events began between two times, both outside. */
  async wokenBetween(waker_utid: number, after_ts: number, until_ts: number): Promise<Wait[]> {
    const found: Wait[] = [];
    for await (const at of this.#woken.from(waker_utid, after_ts + 1, until_ts))
      found.push(await this.#judged(waitAt(at), at));
    return found;
  }

  /** Whether a thread blocked, or was lost sight of, where a run of it ended. */
  async hasBlocked(utid: number, { te, ended, switch_out_state }: Run): Promise<boolean> {
    if (!ended) return true;
    if (switch_out_state !== null) return !RUNNABLE.has(switch_out_state);
    // A compact context switch does not tell: one that blocked is made ready before it runs again, or never runs again.
    if (this.#hasNoWakes) return true;
    const next = await firstOf(this.#runs.from(utid, te));
    if (next === null) return true;
    for await (const at of this.#waits.from(utid, te)) {
      const wait = waitAt(at);
      if (wait.is_wake) return wait.ts < runAt(next).ts;
    }
    return false;
  }

  /** Why a thread was switched out before a wait; null where that was not recorded. */
  async reasonBefore({ utid, ts, last_switch_out_ts }: Wait): Promise<string | null> {
    const at = last_switch_out_ts ?? ts;
    for await (const run of this.runsBefore(utid, at + 1)) {
      if (run.te === at) return run.wait_reason;
      if (run.te < at) break;
    }
    return null;
  }

  /** The wait at the rank that it is taken to have had, where the recorded ones differ. */
  async #judged(wait: Wait, { columns, row }: RowAt<(typeof WAIT_COLUMNS)[number]>): Promise<Wait> {
    const [before, after] = [numberAt(columns.rank_before, row), numberAt(columns.rank_after, row)];
    if (before === null || after === null || before === after) return wait;
    const isIt = ({ utid, ts }: Pick<Wait, 'utid' | 'ts'>) => utid === wait.utid && ts === wait.ts;
    const judged = (await judgedRanksOf(this.#query, isIt)).of(wait.utid, wait.ts);
    return judged === undefined ? wait : { ...wait, rank: judged.rank };
  }
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T | null> {
  for await (const item of items) return item;
  return null;
}

function runAt({ columns, row }: RowAt<'ts' | (typeof RUN_COLUMNS)[number]>): Run {
  return {
    ts: columns.ts.values[row] ?? 0,
    te: columns.te.values[row] ?? 0,
    cpu: columns.cpu.values[row] ?? 0,
    priority: numberAt(columns.priority, row),
    rank: numberAt(columns.rank, row),
    ended: columns.ended.values[row] === 1,
    switch_out_state: textAt(columns.switch_out_state, row),
    wait_reason: textAt(columns.switch_out_wait_reason, row),
  };
}

function waitAt({ columns, row }: RowAt<'ts' | (typeof WAIT_COLUMNS)[number]>): Wait {
  return {
    utid: columns.utid.values[row] ?? 0,
    ts: columns.ts.values[row] ?? 0,
    te: columns.te.values[row] ?? 0,
    is_wake: textAt(columns.cause, row) === 'wake',
    waker_utid: numberAt(columns.waker_utid, row),
    waker_in_dpc: numberAt(columns.waker_in_dpc, row),
    priority: numberAt(columns.priority, row),
    rank: numberAt(columns.rank, row),
    ended: numberAt(columns.cpu, row) !== null,
    last_switch_out_ts: numberAt(columns.last_switch_out_ts, row),
  };
}
