import { oncePerTrace } from '../engine/index.ts';
import { dataOf } from '../tables/index.ts';
import { readRows } from './read-rows.ts';
import type { RowNumbers, Rows } from './rows.ts';

/** Stretches of time in which threads were blocked, as columns; those of one thread in the order of time. Times are in ns. */
export interface Blocked {
  readonly count: number;
  /** The switch-out that began it. */
  readonly ts: Float64Array;
  /** When the thread was woken; without a ready event when it was switched in; else when the recording ends. */
  readonly te: Float64Array;
  /** The switch-in after it; NaN where that was not recorded. */
  readonly in_ts: Float64Array;
  readonly utid: Int32Array;
  /** The thread that ended it, or what stands in for it in {@link WAKERS}. */
  readonly waker: Int32Array;
  /** An index into `reasons`. */
  readonly reason: Uint8Array;
  /** Why threads had blocked (`KWAIT_REASON`); null where that was not recorded. */
  readonly reasons: readonly (string | null)[];
}

/** What stands in for a thread that ended a block, by numbers that no thread has, and what it is called. */
export const BY_INTERRUPT = -1;
export const NO_READY_EVENT = -2;
export const NOT_ENDED = -3;
export const WAKERS: Readonly<Record<number, string>> = {
  [BY_INTERRUPT]: 'a DPC or an interrupt',
  [NO_READY_EVENT]: 'not recorded',
  [NOT_ENDED]: 'nobody: the recording ends',
};

/** Why threads are blocked that wait for work: nobody waits while these do. */
export const FOR_WORK: ReadonlySet<string> = new Set(['WrQueue', 'WrLpcReceive']);

const EVER = { start: 0, end: Number.MAX_SAFE_INTEGER };
const RUN_COLUMNS = ['ts', 'te', 'utid', 'switch_out_state', 'switch_out_wait_reason'] as const;
const WAIT_COLUMNS = ['ts', 'te', 'utid', 'cause', 'waker_utid', 'last_switch_out_ts'] as const;
type Runs = Rows<(typeof RUN_COLUMNS)[number]>;
type Waits = Rows<(typeof WAIT_COLUMNS)[number]>;

/**
 * Who was blocked when in the whole recording, why, and who ended it. A block whose beginning was not recorded is left out. The
 * trace is read once.
 */
export const loadBlocked = oncePerTrace(async (query): Promise<Blocked> => {
  const { tables } = dataOf(query);
  const runs = await readRows(tables, 'etw_run', RUN_COLUMNS, EVER);
  return findBlocks(runs, await readRows(tables, 'etw_ready_wait', WAIT_COLUMNS, EVER));
});

/** No row. */
const NONE = -1;

function findBlocks(runs: Runs, waits: Waits): Blocked {
  const found = new BlockList(runs, waits);
  const [utids, starts, ends] = [runs.column('utid'), runs.column('ts'), runs.column('te')];
  const waitsOf = new WaitsInTurn(waits);
  const lastOf: number[] = [];
  let end = 0;
  for (let run = 0; run < runs.count; run++) {
    const [utid, ts] = [utids[run] ?? 0, starts[run] ?? 0];
    end = Math.max(end, ends[run] ?? 0);
    if (utid === 0) continue;
    found.add(utid, lastOf[utid] ?? NONE, waitsOf.until(utid, ts), ts, ts);
    lastOf[utid] = run;
  }
  lastOf.forEach((last, utid) => {
    const wait = waitsOf.openAfter(utid, ends[last] ?? 0);
    found.add(utid, last, wait, end, NaN);
  });
  return found.finish();
}

/** The ready waits of each thread, asked for in the order of time. */
class WaitsInTurn {
  readonly #of: (utid: number) => Uint32Array;
  readonly #ts: RowNumbers;
  readonly #te: RowNumbers;
  readonly #next: number[] = [];

  constructor(waits: Waits) {
    this.#of = waits.by('utid');
    [this.#ts, this.#te] = [waits.column('ts'), waits.column('te')];
  }

  /** The wait that a switch-in at `ts` ended. */
  until(utid: number, ts: number): number {
    const own = this.#of(utid);
    let next = this.#next[utid] ?? 0;
    while (next < own.length && (this.#te[own[next] ?? 0] ?? 0) < ts) next++;
    this.#next[utid] = next;
    const wait = own[next] ?? NONE;
    return this.#te[wait] === ts ? wait : NONE;
  }

  /** The wait from `ts` on that did not end. */
  openAfter(utid: number, ts: number): number {
    const last = this.#of(utid).at(-1) ?? NONE;
    return (this.#ts[last] ?? NaN) >= ts ? last : NONE;
  }
}

/** Collects blocks. */
class BlockList {
  readonly #runs: Runs;
  readonly #waits: Waits;
  readonly #ts: number[] = [];
  readonly #te: number[] = [];
  readonly #in_ts: number[] = [];
  readonly #utid: number[] = [];
  readonly #waker: number[] = [];
  readonly #reason: number[] = [];
  readonly #reasons = new Map<string | null, number>();

  constructor(runs: Runs, waits: Waits) {
    [this.#runs, this.#waits] = [runs, waits];
  }

  /** What a thread did between its run `last` and `ts`, if that was to be blocked; `wait` is the ready wait in between. */
  add(utid: number, last: number, wait: number, ts: number, in_ts: number): void {
    const isWoken = wait !== NONE && this.#waits.text('cause', wait) === 'wake';
    const state = last === NONE ? null : this.#runs.text('switch_out_state', last);
    const left_ts = isWoken ? (this.#waits.column('last_switch_out_ts')[wait] ?? NaN) : NaN;
    // A compact context switch tells no state: that the thread was woken tells it, too.
    const isBlocked = state === 'Waiting' || (state === null && !Number.isNaN(left_ts));
    const from = state === 'Waiting' ? (this.#runs.column('te')[last] ?? ts) : left_ts;
    const until = isWoken ? (this.#waits.column('ts')[wait] ?? ts) : ts;
    if (!isBlocked || until <= from) return;
    const reason = state === 'Waiting' ? this.#runs.text('switch_out_wait_reason', last) : null;
    const code = this.#reasons.get(reason) ?? this.#reasons.size;
    this.#reasons.set(reason, code);
    this.#ts.push(from);
    this.#te.push(until);
    this.#in_ts.push(in_ts);
    this.#utid.push(utid);
    this.#reason.push(code);
    const waker = isWoken ? (this.#waits.column('waker_utid')[wait] ?? NaN) : NaN;
    this.#waker.push(
      isWoken ? (waker > 0 ? waker : BY_INTERRUPT) : Number.isNaN(in_ts) ? NOT_ENDED : NO_READY_EVENT,
    );
  }

  finish(): Blocked {
    return {
      count: this.#ts.length,
      ts: Float64Array.from(this.#ts),
      te: Float64Array.from(this.#te),
      in_ts: Float64Array.from(this.#in_ts),
      utid: Int32Array.from(this.#utid),
      waker: Int32Array.from(this.#waker),
      reason: Uint8Array.from(this.#reason),
      reasons: [...this.#reasons.keys()],
    };
  }
}
