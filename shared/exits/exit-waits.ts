import { oncePerTrace } from '../engine/index.ts';
import { dataOf, KeySet, numberAt, RowSeeker, textAt, type Tables } from '../tables/index.ts';
import { loadThreadNames } from '../threads/index.ts';
import { reasonsBefore } from '../why-late/columns/index.ts';
import { loadExits, type Exit } from './load-exits.ts';

/** A thread that an event made ready. */
export interface Wake {
  readonly utid: number;
  readonly ts: number;
  /** Null for a DPC. */
  readonly waker_utid: number | null;
  /** When it had left its CPU; null where that was before the recording. */
  readonly last_switch_out_ts: number | null;
}

/** The longest time that the last thread of an exiting process was blocked. */
export interface ExitWait {
  readonly exit: Exit;
  readonly wake: Wake;
  /** Since when; not before its exit began. */
  readonly ts: number;
  /** Why, such as `WrResource`. */
  readonly reason: string | null;
  /** The process that was exiting as it let this one go, or that had just let the waker go; null if neither. */
  readonly before_upid: number | null;
}

/** What exits waited for, as `etw_process_exit_wait` has it, and whom exiting processes let go. */
export interface ExitWaits {
  readonly waits: readonly ExitWait[];
  /** Threads that a thread of an exiting process made ready. */
  readonly released: readonly Wake[];
  /** The exit of a process that a thread is of; undefined where it is not known. */
  readonly exitOf: (utid: number | null) => Exit | undefined;
}

/** Reads what exits waited for: once a trace. */
export const loadExitWaits = oncePerTrace(async (query): Promise<ExitWaits> => {
  const { tables } = dataOf(query);
  const { known } = await loadExits(tables);
  const threads = await loadThreadNames(tables);
  const exitOf = (utid: number | null) => known.get(threads.get(utid ?? NaN)?.upid ?? NaN);
  const exiting = new KeySet([...threads.keys()].filter((utid) => exitOf(utid) !== undefined));
  const { longest, released } = await readWakes(tables, [...known.values()], exiting, exitOf);
  const blocked = [...longest].map(([exit, wake]) => ({ exit, wake, ts: blockedSince(exit, wake) }));
  const reasons = await reasonsBefore(
    tables,
    blocked.map(({ wake }) => wake),
  );
  const reach = { start: 0, end: Infinity };
  const seeker = new RowSeeker(tables, 'etw_ready_wait', 'utid', ['cause', 'waker_utid'], reach);
  const waits: ExitWait[] = [];
  for (const [at, wait] of blocked.entries()) {
    const before_upid = await processBefore(wait);
    waits.push({ ...wait, reason: reasons[at] ?? null, before_upid });
  }
  return { waits, released, exitOf };

  async function processBefore({ exit, wake, ts }: (typeof blocked)[number]): Promise<number | null> {
    const { waker_utid } = wake;
    if (waker_utid === null) return null;
    const before = exitAt(waker_utid, wake.ts) ?? (await exitThrough(waker_utid, ts, wake.ts));
    return before === undefined || before === exit ? null : before.upid;
  }

  /** The exit of the process that let a thread go last in some time. */
  async function exitThrough(utid: number, from_ts: number, until_ts: number): Promise<Exit | undefined> {
    let last: Exit | undefined;
    for await (const { columns, row } of seeker.from(utid, from_ts, until_ts)) {
      if (textAt(columns.cause, row) !== 'wake') continue;
      last = exitAt(numberAt(columns.waker_utid, row), columns.ts.values[row] ?? 0);
    }
    return last;
  }

  function exitAt(utid: number | null, ts: number): Exit | undefined {
    const exit = exitOf(utid);
    return exit !== undefined && exit.ts <= ts && exit.te >= ts ? exit : undefined;
  }
});

/** Since when the last thread of an exit was blocked until a wake. */
function blockedSince(exit: Exit, { last_switch_out_ts }: Wake): number {
  return Math.max(exit.ts, last_switch_out_ts ?? -Infinity);
}

const WAKE_COLUMNS = ['ts', 'utid', 'cause', 'waker_utid', 'last_switch_out_ts'] as const;

/** The wakes that ended the longest blocks of exits, and those of threads that exiting processes let go. */
async function readWakes(
  tables: Tables,
  exits: readonly Exit[],
  exiting: KeySet,
  exitOf: ExitWaits['exitOf'],
): Promise<{ readonly longest: ReadonlyMap<Exit, Wake>; readonly released: readonly Wake[] }> {
  const longest = new Map<Exit, Wake>();
  const released: Wake[] = [];
  const ranges = exits
    .map(({ ts, te }) => ({ start: ts - 1, end: te + 1 }))
    .sort((a, b) => a.start - b.start);
  if (ranges.length === 0) return { longest, released };
  for await (const { rowCount, columns } of tables.batches('etw_ready_wait', WAKE_COLUMNS, ranges)) {
    const wake = columns.cause.texts?.indexOf('wake') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      if (columns.cause.values[row] !== wake) continue;
      const utid = columns.utid.values[row] ?? 0;
      const waker_utid = numberAt(columns.waker_utid, row);
      const isReleased = waker_utid !== null && exiting.has(waker_utid);
      if (!isReleased && !exiting.has(utid)) continue;
      const last_switch_out_ts = numberAt(columns.last_switch_out_ts, row);
      add({ utid, ts: columns.ts.values[row] ?? 0, waker_utid, last_switch_out_ts });
    }
  }
  return { longest, released };

  function add(wake: Wake): void {
    const { utid, ts, waker_utid } = wake;
    const by = exitOf(waker_utid);
    if (by !== undefined && by.ts <= ts && by.te >= ts) released.push(wake);
    const exit = exitOf(utid);
    if (exit?.last_thread?.utid !== utid || ts <= exit.ts || ts > exit.te) return;
    if (wake.last_switch_out_ts === null) return;
    const before = longest.get(exit);
    const isLonger =
      before === undefined || ts - blockedSince(exit, wake) > before.ts - blockedSince(exit, before);
    if (isLonger) longest.set(exit, wake);
  }
}
