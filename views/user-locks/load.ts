import { group, sum } from 'd3';
import type { Query } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording, type Known } from '../../shared/recording/index.ts';
import { dataOf, type Bounds, type Tables } from '../../shared/tables/index.ts';
import {
  loadThreadNames,
  loadUserLock,
  longestHolder,
  utidsMatching,
  type HeldSpan,
  type Holder,
  type LockUse,
  type LockWait as WaitOfThread,
  type ThreadName,
} from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { spansOf, visitOverlaps } from '../../shared/why-late/columns/index.ts';
import { params, recording as needs, type UserLocksParams } from './params.ts';

type Names = ReadonlyMap<number, ThreadName>;

/** A span in which a thread held the user lock, or waited for it. */
export type LockSpan = ReturnType<typeof spanOf>;
/** A wait, and who held the lock longest meanwhile. Null is what was not recorded. */
export type LockWait = ReturnType<typeof waitOf> & Record<'ran_ns' | 'ready_ns', number | null>;
/** What one thread had to do with the lock in the range. */
export type LockThread = ReturnType<typeof threadsOf>[number];

/** All that the view draws: the longest waits and holds first, and the threads with most of both. */
export interface UserLocksModel extends Known {
  readonly waits: readonly LockWait[];
  readonly holds: readonly LockSpan[];
  readonly threads: readonly LockThread[];
}

/** A hold of less than one part in so many of a wait does not count. */
const PARTS = 100;

/** Loads all that the view shows of `range`. */
export async function loadUserLocks(
  query: Query,
  { process, limit }: UserLocksParams,
  range: TimeRange,
): Promise<UserLocksModel> {
  const bounds = boundsOf(range);
  const recording = await loadRecording(query, needs, bounds);
  const { tables } = dataOf(query);
  const names = await loadThreadNames(tables);
  const utids = utidsMatching(names, { process, thread: null });
  const asked = utids && new Set(utids);
  const isAsked = ({ ts, dur, utid }: LockUse) =>
    ts < bounds.range_end &&
    ts + dur > bounds.range_start &&
    (asked === null || (utid !== 0 && asked.has(utid)));
  const lock = await loadUserLock(tables);
  const waits = lock.waits.filter((wait) => wait.dur > 0 && isAsked(wait));
  const holds = lock.holds.filter(isAsked);
  const most = Math.round(limit ?? params.limit.default);
  const longest = longestOf(waits, most);
  const holders = longest.map((wait) => longestHolder(wait, lock, wait.dur / PARTS));
  const ran_ns = recording.has('switches') ? await timeOf(holders, tables, 'etw_run') : null;
  const ready_ns = recording.has('ready_threads') ? await timeOf(holders, tables, 'etw_ready_wait') : null;
  return {
    ...knownOf(recording),
    waits: longest.map((wait, at) => ({
      ...waitOf(wait, holders[at] ?? null, names),
      ...{ ran_ns: ran_ns?.[at] ?? null, ready_ns: ready_ns?.[at] ?? null },
    })),
    holds: longestOf(holds, most).map((hold) => spanOf(hold, names)),
    threads: threadsOf(waits, holds, bounds, names),
  };
}

function longestOf<U extends LockUse>(uses: readonly U[], most: number): U[] {
  return [...uses].sort((a, b) => b.dur - a.dur || a.ts - b.ts || a.utid - b.utid).slice(0, most);
}

/** For how long each holder ran, or was ready, while it held the lock. */
async function timeOf(
  holders: readonly (Holder | null)[],
  tables: Tables,
  table: 'etw_run' | 'etw_ready_wait',
): Promise<Float64Array> {
  const held = holders.flatMap((holder, of): (HeldSpan & { of: number })[] =>
    (holder?.spans ?? []).map((span) => ({ ...span, of })),
  );
  const { spans, order } = spansOf(
    Float64Array.from(held, ({ ts }) => ts),
    (index) => held[index]?.te ?? 0,
  );
  const time_ns = new Float64Array(holders.length);
  await visitOverlaps(tables, table, ['utid'], spans, (place, ts, te, row, { utid }) => {
    const span = held[order[place] ?? -1];
    if (span === undefined || utid.values[row] !== span.utid) return;
    time_ns[span.of] = (time_ns[span.of] ?? 0) + Math.min(te, span.te) - Math.max(ts, span.ts);
  });
  return time_ns;
}

/** What threads had to do with the lock within the range: those with most of it first. */
function threadsOf(
  waits: readonly LockUse[],
  holds: readonly LockUse[],
  { range_start, range_end }: Bounds,
  names: Names,
) {
  const within_ns = ({ ts, dur }: LockUse) => Math.min(ts + dur, range_end) - Math.max(ts, range_start);
  const utids = new Set([...waits, ...holds].map(({ utid }) => utid));
  const [waitsOf, holdsOf] = [waits, holds].map((uses) => group(uses, ({ utid }) => utid));
  const threads = Array.from(utids, (utid) => {
    const [waited, held] = [waitsOf?.get(utid) ?? [], holdsOf?.get(utid) ?? []];
    const uses = { waits: waited.length, waited_ns: sum(waited, within_ns), holds: held.length };
    return { utid, thread: names.get(utid), ...uses, held_ns: sum(held, within_ns) };
  });
  return threads.sort((a, b) => b.waited_ns + b.held_ns - a.waited_ns - a.held_ns || a.utid - b.utid);
}

function spanOf({ ts, dur, utid }: LockUse, names: Names) {
  return { ts, dur, utid, thread: names.get(utid) };
}

function waitOf(wait: WaitOfThread, holder: Holder | null, names: Names) {
  return {
    ...spanOf(wait, names),
    wants: wait.is_shared ? 'share' : 'have alone',
    holder: names.get(holder?.utid ?? NaN),
    held_ns: holder?.held_ns ?? 0,
  };
}
