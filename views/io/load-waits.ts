import { bisector, group, rollup } from 'd3';
import type { Query } from '../../shared/engine/index.ts';
import { dataOf, numberAt, textAt, type Stretch, type Tables } from '../../shared/tables/index.ts';
import { loadThreadNames, threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import type { Io, IoModel, IoOther, IoOthers, IoWait } from './model.ts';

/** A completion readies the thread at once: so much may lie between the two events. */
const NEAR_NS = 100_000;
/** How many other threads of an I/O are named. */
const MAX_OTHERS = 5;

const byEnd = bisector(({ end }: Stretch) => end);
const byReady = bisector(({ ready_ts }: Wake) => ready_ts);

type Names = ReadonlyMap<number, ThreadName>;

/** A ready wait that began as a thread was woken. */
interface Wake {
  readonly utid: number;
  readonly ready_ts: number;
  /** Since when the thread had been blocked; null where that was not recorded. */
  readonly block_ts: number | null;
  /** When it ran; null where that was not recorded. */
  readonly run_ts: number | null;
  readonly waker: number | null;
  readonly inDpc: boolean;
}

/** Adds the waits that ended with the listed I/Os. */
export async function loadWaits(query: Query, model: IoModel): Promise<IoModel> {
  const { tables } = dataOf(query);
  const names = await loadThreadNames(tables);
  const wakes = await findWakes(tables, model);
  const waits = wakes.map((wake) => (wake === null ? null : waitOf(wake, names)));
  return { ...model, waits, others: await findOthers(tables, model.ios, wakes, names) };
}

function waitOf({ block_ts, ready_ts, run_ts, waker, inDpc }: Wake, names: Names): IoWait {
  const readied_by = inDpc ? 'a DPC' : waker === null ? null : threadLabel(names.get(waker));
  return { ts: block_ts ?? ready_ts, ready_ts, run_ts, readied_by };
}

/** Calls `take` for each wake in a range. */
async function eachWake(tables: Tables, range: Stretch, take: (wake: Wake) => void): Promise<void> {
  if (range.start > range.end) return;
  const columns = [
    ...(['ts', 'te', 'utid', 'cause', 'ended'] as const),
    ...(['last_switch_out_ts', 'waker_utid', 'waker_in_dpc'] as const),
  ];
  for await (const { rowCount, columns: of } of tables.batches('etw_ready_wait', columns, range))
    for (let row = 0; row < rowCount; row++) {
      const ready_ts = of.ts.values[row] ?? 0;
      if (ready_ts < range.start || ready_ts > range.end || textAt(of.cause, row) !== 'wake') continue;
      take({
        utid: of.utid.values[row] ?? 0,
        ready_ts,
        block_ts: numberAt(of.last_switch_out_ts, row),
        run_ts: numberAt(of.ended, row) === 1 ? (of.te.values[row] ?? 0) : null,
        waker: numberAt(of.waker_utid, row),
        inDpc: numberAt(of.waker_in_dpc, row) === 1,
      });
    }
}

/**
 * For each listed I/O, the wake of its own thread that ended a wait for the I/O. The wake is the last one until `NEAR_NS` after the
 * I/O's end, and its block began after the I/O was issued. A disk transfer readies no thread before its end. In an operation on a
 * file or a hard fault the thread goes on until the I/O is done.
 */
async function findWakes(tables: Tables, { ios, source }: IoModel): Promise<readonly (Wake | null)[]> {
  const spans = ios.flatMap(({ utid, ts, dur }) =>
    utid === null || dur === null ? [] : [{ utid, start: ts, end: ts + dur + NEAR_NS }],
  );
  const merged = rollup(spans, mergedSpans, ({ utid }) => utid);
  const ended: Wake[] = [];
  await eachWake(tables, reachOf([...merged.values()].flat()), (wake) => {
    const own = merged.get(wake.utid) ?? [];
    const span = own[byEnd.left(own, wake.ready_ts)];
    if (span === undefined || span.start > wake.ready_ts) return;
    ended.push(wake);
  });
  const wakes = group(
    ended.sort((a, b) => a.ready_ts - b.ready_ts),
    ({ utid }) => utid,
  );
  return ios.map(({ utid, ts, dur }) => {
    if (utid === null || dur === null) return null;
    const [own, end] = [wakes.get(utid) ?? [], ts + dur];
    const last = own[byReady.right(own, end + NEAR_NS) - 1];
    if (last?.block_ts == null || last.block_ts < ts) return null;
    return source === 'disk' && last.ready_ts < end - NEAR_NS ? null : last;
  });
}

/**
 * For each listed I/O, the other threads that were readied when it ended, and had blocked while it was under way: by a DPC, or by the
 * thread that readied its own.
 */
async function findOthers(
  tables: Tables,
  ios: readonly Io[],
  wakes: readonly (Wake | null)[],
  names: Names,
): Promise<readonly (IoOthers | null)[]> {
  const found = ios.map((): { count: number; readonly longest: Wake[] } => ({ count: 0, longest: [] }));
  const moments = ios
    .flatMap(({ ts, dur }, row) => {
      // An operation on a file goes on after its thread was readied.
      const at = wakes[row]?.ready_ts ?? (dur === null ? null : ts + dur);
      return at === null ? [] : [{ at, row }];
    })
    .sort((a, b) => a.at - b.at);
  const near = moments.map(({ at }) => ({ start: at - NEAR_NS, end: at + NEAR_NS }));
  await eachWake(tables, reachOf(near), (wake) => {
    const { ready_ts, block_ts, utid, waker, inDpc } = wake;
    if (block_ts === null) return;
    for (let place = byEnd.left(near, ready_ts); place < moments.length; place++) {
      const { row = -1 } = moments[place] ?? {};
      if ((near[place]?.start ?? Infinity) > ready_ts) return;
      const [io, own, others] = [ios[row], wakes[row], found[row]];
      const isSame = (inDpc && waker === null) || (waker !== null && waker === own?.waker);
      if (io === undefined || others === undefined || !isSame) continue;
      if (utid === io.utid || block_ts < io.ts) continue;
      others.count++;
      others.longest.push(wake);
      if (others.longest.length > 2 * MAX_OTHERS) keepLongest(others.longest);
    }
  });
  return found.map(({ count, longest }) => {
    if (count === 0) return null;
    keepLongest(longest);
    return { count, longest: longest.map((wake) => otherOf(wake, names)) };
  });
}

function otherOf({ utid, block_ts, ready_ts }: Wake, names: Names): IoOther {
  return { thread: threadLabel(names.get(utid)), ts: block_ts ?? ready_ts, ready_ts };
}

/** Keeps those that were blocked first. */
function keepLongest(wakes: Wake[]): void {
  wakes.sort((a, b) => (a.block_ts ?? 0) - (b.block_ts ?? 0) || a.utid - b.utid);
  wakes.length = Math.min(wakes.length, MAX_OTHERS);
}

/** Spans that touch each other as one, in order. */
function mergedSpans(spans: readonly Stretch[]): readonly Stretch[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || last.end < start) merged.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return merged;
}

/** From the first beginning to the last end. */
function reachOf(spans: readonly Stretch[]): Stretch {
  return spans.reduce(
    (reach, { start, end }) => ({ start: Math.min(reach.start, start), end: Math.max(reach.end, end) }),
    { start: Infinity, end: -Infinity },
  );
}
