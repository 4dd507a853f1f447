import { group } from 'd3';
import { oncePerTrace } from '../../shared/engine/index.ts';
import { loadExitWaits, queuesIn, type ExitWaits, type Wake } from '../../shared/exits/index.ts';
import { dataOf, numberAt, RowSeeker, textAt, type Tables } from '../../shared/tables/index.ts';
import { reasonsBefore } from '../../shared/why-late/columns/index.ts';

/** A thread of a process that was not exiting, which waited for what exiting ones held. */
export interface WaitingThread {
  readonly utid: number;
  readonly waits: number;
  /** Of its longest wait: since when, how long, and why. */
  readonly ts: number;
  readonly longest_ns: number;
  readonly reason: string | null;
}

/** A wait whose beginning was recorded. */
interface Blocked extends Wake {
  readonly last_switch_out_ts: number;
}

/**
 * Who waited for exiting processes, longest first. These are the waits that an exiting process ended, and those of the queue of exits: of
 * who stood in it before or behind an exit, for the same reason. Read once a trace.
 */
export const findWaiters = oncePerTrace(async (query): Promise<readonly WaitingThread[]> => {
  const { tables } = dataOf(query);
  const exits = await loadExitWaits(query);
  const waits = new Map<string, Blocked>();
  for (const wake of [...exits.released, ...(await queuedWith(tables, exits))]) {
    const exit = exits.exitOf(wake.utid);
    if (isBlocked(wake) && (exit === undefined || exit.ts > wake.ts))
      waits.set(keyOf(wake.utid, wake.ts), wake);
  }
  const lengthOf = ({ ts, last_switch_out_ts }: Blocked) => ts - last_switch_out_ts;
  const longest = Array.from(group(waits.values(), ({ utid }) => utid).values(), (of) => ({
    waits: of.length,
    wait: of.reduce((long, wait) => {
      const more_ns = lengthOf(wait) - lengthOf(long);
      return more_ns > 0 || (more_ns === 0 && wait.ts < long.ts) ? wait : long;
    }),
  }));
  const reasons = await reasonsBefore(
    tables,
    longest.map(({ wait }) => wait),
  );
  return longest
    .map(({ waits, wait }, at) => ({
      utid: wait.utid,
      waits,
      ts: wait.last_switch_out_ts,
      longest_ns: lengthOf(wait),
      reason: reasons[at] ?? null,
    }))
    .sort((a, b) => b.longest_ns - a.longest_ns || a.utid - b.utid);
});

function isBlocked(wake: Wake): wake is Blocked {
  return wake.last_switch_out_ts !== null;
}

/** Exits that queued, for one reason, and from when to when. */
interface Queue {
  readonly reason: string;
  readonly ts: number;
  readonly te: number;
}

/** Queues of several exits, by what these waited for. */
function queuesOf({ waits }: ExitWaits): readonly Queue[] {
  const queued = waits.filter(({ before_upid }) => before_upid !== null);
  return queuesIn(queued, ({ ts, exit }) => ({ ts, te: exit.te })).flatMap((queue) =>
    [...group(queue, ({ reason }) => reason)].flatMap(([reason, of]) => {
      if (reason === null || of.length < 2) return [];
      const ts = of.reduce((least, wait) => Math.min(least, wait.ts), Infinity);
      return [{ reason, ts, te: of.reduce((most, { exit }) => Math.max(most, exit.te), 0) }];
    }),
  );
}

/** A wait in a queue, and when the thread that ended it had been let go itself. */
interface Held extends Blocked {
  readonly waker_ts: number | null;
}

/** The waits of queues of exits: from the exits on who lets go whom, forward to those who are let go, and back to who was let go before. */
async function queuedWith(tables: Tables, exits: ExitWaits): Promise<readonly Wake[]> {
  const held = await heldIn(tables, queuesOf(exits));
  const byWait = new Map(held.map((wait) => [keyOf(wait.utid, wait.ts), wait]));
  const byWaker = group(held, wakerKey);
  const found = new Set<Held>();
  const next = exits.waits
    .filter(({ before_upid }) => before_upid !== null)
    .map(({ wake }) => keyOf(wake.utid, wake.ts));
  for (let key = next.pop(); key !== undefined; key = next.pop()) {
    const own = byWait.get(key);
    const before = own && byWait.get(wakerKey(own));
    for (const wait of [...(byWaker.get(key) ?? []), ...(before ? [before] : [])]) {
      if (found.has(wait)) continue;
      found.add(wait);
      next.push(keyOf(wait.utid, wait.ts));
    }
  }
  return [...found];
}

function keyOf(utid: number, ts: number): string {
  return `${utid} ${ts}`;
}

/** The wait of the waker that ended before; no wait has a key without a time. */
function wakerKey({ waker_utid, waker_ts }: Held): string {
  return waker_utid === null || waker_ts === null ? '' : keyOf(waker_utid, waker_ts);
}

const COLUMNS = ['ts', 'utid', 'cause', 'waker_utid', 'last_switch_out_ts'] as const;

/** Who waited for the same reason over a queue or just after it. */
async function heldIn(tables: Tables, queues: readonly Queue[]): Promise<readonly Held[]> {
  const held = new Map<string, Blocked>();
  for (const queue of queues) {
    const waits = await waitsOver(tables, queue);
    const reasons = await reasonsBefore(tables, waits);
    waits.forEach((wait, at) => {
      if (reasons[at] === queue.reason) held.set(keyOf(wait.utid, wait.ts), wait);
    });
  }
  const reach = { start: 0, end: Infinity };
  const seeker = new RowSeeker(tables, 'etw_ready_wait', 'utid', ['cause'], reach);
  const found: Held[] = [];
  for (const wait of held.values()) found.push({ ...wait, waker_ts: await lastWake(wait) });
  return found;

  async function lastWake({ waker_utid, ts }: Wake): Promise<number | null> {
    if (waker_utid === null) return null;
    for await (const { columns, row } of seeker.before(waker_utid, ts))
      if (textAt(columns.cause, row) === 'wake') return columns.ts.values[row] ?? null;
    return null;
  }
}

/** Waits that began before the end of a queue, and ended in it or as long after it as it lasted. */
async function waitsOver(tables: Tables, { ts: start, te }: Queue): Promise<readonly Blocked[]> {
  const waits: Blocked[] = [];
  const end = 2 * te - start;
  for await (const { rowCount, columns } of tables.batches('etw_ready_wait', COLUMNS, { start, end })) {
    const wake = columns.cause.texts?.indexOf('wake') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      const ts = columns.ts.values[row] ?? 0;
      if (columns.cause.values[row] !== wake || ts <= start || ts >= end) continue;
      const last_switch_out_ts = numberAt(columns.last_switch_out_ts, row);
      if (last_switch_out_ts === null || last_switch_out_ts >= te) continue;
      const [utid, waker_utid] = [columns.utid.values[row] ?? 0, numberAt(columns.waker_utid, row)];
      waits.push({ utid, ts, waker_utid, last_switch_out_ts });
    }
  }
  return waits;
}
