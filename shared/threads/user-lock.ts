import { greatest, rollup } from 'd3';
import { oncePerTrace } from '../engine/index.ts';
import { readEventsOf, readFields } from '../events/index.ts';
import { firstFrom, traceRow, type Tables } from '../tables/index.ts';

/** A span in which a thread held the user lock or waited for it, in ns. The thread is 0 where it is not known. */
export interface LockUse {
  readonly ts: number;
  readonly dur: number;
  readonly utid: number;
}

/** A wait for the user lock; 0 ns long for a lock that was free. */
export interface LockWait extends LockUse {
  /** Whether the thread shared the lock with others who only read. */
  readonly is_shared: boolean;
}

/** The uses of the user lock in the order of time, as `etw_user_lock_wait` and `etw_user_lock_hold` have them. */
export interface UserLock {
  readonly waits: readonly LockWait[];
  readonly holds: readonly LockUse[];
  /** When the holds begin. */
  readonly hold_ts: Float64Array;
  readonly longest_hold_ns: number;
}

/** The ids of the events that end a use of the lock: of waits, of waits to share it, and of holds. */
const [WAITED, SHARED, HELD] = [new Set([163, 164, 416]), new Set([165, 166]), new Set([167, 417])];
/** Those for telemetry, which are written of long uses alone: where others are recorded, the same is not told twice. */
const TELEMETRY = new Set([416, 417]);

/** Reads the uses of the user lock: once a trace. */
export const loadUserLock = oncePerTrace(async (tables: Tables): Promise<UserLock> => {
  const events = await readEventsOf(tables, ({ provider, event_id }) =>
    provider === 'Microsoft-Windows-Win32k' && [WAITED, SHARED, HELD].some((ids) => ids.has(event_id))
      ? event_id
      : undefined,
  );
  const clock = await traceRow(tables, ['clock', 'clock_hz']);
  // The frequency of the performance counter is known where it is the trace's clock.
  const counts_hz = clock?.clock === 'qpc' ? Number(clock.clock_hz) : 0;
  const [isWaitTold, isHoldTold] = [false, true].map((isHold) =>
    events.some(({ of }) => HELD.has(of) === isHold && !TELEMETRY.has(of)),
  );
  const waits: LockWait[] = [];
  const holds: LockUse[] = [];
  for (const { ts: te, utid, of, fields } of events) {
    if (TELEMETRY.has(of) && (HELD.has(of) ? isHoldTold : isWaitTold)) continue;
    const dur = lengthOf(readFields(fields) ?? {}, counts_hz);
    if (dur === null) continue;
    const use = { ts: te - dur, dur, utid };
    if (HELD.has(of)) holds.push(use);
    else waits.push({ ...use, is_shared: SHARED.has(of) });
  }
  const byTime = (a: LockUse, b: LockUse) => a.ts - b.ts;
  holds.sort(byTime);
  return {
    waits: waits.sort(byTime),
    holds,
    hold_ts: Float64Array.from(holds, ({ ts }) => ts),
    longest_hold_ns: holds.reduce((longest, { dur }) => Math.max(longest, dur), 0),
  };
});

/** The length of a use in whole ns; null where its event does not tell it. */
function lengthOf(fields: Readonly<Record<string, unknown>>, counts_hz: number): number | null {
  const counts = fields.AcquireQpcCounts ?? fields.HoldQpcCounts;
  if (typeof counts === 'number' && counts > 0 && counts_hz > 0)
    return Math.trunc((counts * 1e9) / counts_hz);
  const ms = fields.AcquireTimeMs ?? fields.HoldTimeMs;
  return typeof ms === 'number' ? Math.trunc(ms * 1e6) : null;
}

/** When a thread held the lock, as far as that lies in the wait of another one. */
export interface HeldSpan {
  readonly utid: number;
  readonly ts: number;
  readonly te: number;
}

/** The thread that held the lock longest in a wait of another one. */
export interface Holder {
  readonly utid: number;
  readonly held_ns: number;
  /** In the order of time. */
  readonly spans: readonly HeldSpan[];
}

/**
 * Who held the lock longest in a wait; of equal holders, the thread with the lower key. Null if there is no holder. Holds shorter than
 * `least_ns` do not count.
 */
export function longestHolder(wait: LockUse, lock: UserLock, least_ns: number): Holder | null {
  const holders = rollup(
    heldIn(wait, lock, least_ns),
    (spans) => ({ spans, held_ns: spans.reduce((sum, { ts, te }) => sum + te - ts, 0) }),
    ({ utid }) => utid,
  );
  const longest = greatest(holders, ([a, one], [b, other]) => one.held_ns - other.held_ns || b - a);
  return longest === undefined ? null : { utid: longest[0], ...longest[1] };
}

function heldIn(wait: LockUse, lock: UserLock, least_ns: number): HeldSpan[] {
  const spans: HeldSpan[] = [];
  if (wait.utid === 0) return spans;
  const { holds, hold_ts } = lock;
  const wait_te = wait.ts + wait.dur;
  const first = firstFrom(hold_ts, 0, holds.length, wait.ts - lock.longest_hold_ns);
  for (let at = first; (hold_ts[at] ?? Infinity) < wait_te; at++) {
    const { ts = 0, dur = 0, utid = 0 } = holds[at] ?? {};
    if (ts + dur <= wait.ts || utid === wait.utid || utid === 0 || dur < least_ns) continue;
    spans.push({ utid, ts: Math.max(ts, wait.ts), te: Math.min(ts + dur, wait_te) });
  }
  return spans;
}
