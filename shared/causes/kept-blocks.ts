import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Stretch, type Tables } from '../tables/index.ts';
import { passBlockEvents, type BlockEvents } from './block-events.ts';
import { CpuTimes } from './cpu-times.ts';

/** The blocks of a range that ended in it or at its end, and the CPU time of threads: what the ranges in it need, too. */
export interface RangeBlocks {
  readonly range: Stretch;
  /** What happened last comes first. */
  readonly events: readonly BlockEvents[];
  /** Whether these tell all that {@link passBlockEvents} says. */
  readonly areAll: boolean;
  readonly ran: CpuTimes;
}

/** So many events are kept at most, in some 500 MB. */
const MOST_KEPT = 1 << 26;

const keepBlocks = keepLast<RangeBlocks>(isSmall);
/** The range that was read last of each trace. */
const read = new WeakMap<Query, Stretch>();

/** The blocks of a range, or of one that holds it, which is kept. */
export async function blocksAround(query: Query, range: Stretch): Promise<RangeBlocks> {
  const last = read.get(query);
  const isKnown = last !== undefined && last.start <= range.start && range.end <= last.end;
  const around = isKnown ? last : range;
  read.set(query, around);
  const blocks = await keepBlocks(query, `${around.start} ${around.end}`, () =>
    readBlocks(dataOf(query).tables, around),
  );
  if (!isSmall(blocks)) read.delete(query);
  return blocks;
}

async function readBlocks(tables: Tables, range: Stretch): Promise<RangeBlocks> {
  const events: BlockEvents[] = [];
  const ran = new CpuTimes(range);
  // What happens at the ends counts, too.
  const around = { start: range.start - 1, end: range.end + 1 };
  const pass = (more: BlockEvents) => events.push(more);
  const areAll = await passBlockEvents(tables, around, pass, { onRuns: (runs) => ran.add(runs) });
  return { range, events, areAll, ran };
}

function isSmall({ events }: RangeBlocks): boolean {
  return events.reduce((sum, { utids }) => sum + utids.length, 0) <= MOST_KEPT;
}

/** The events around a range; what happened last comes first. */
export function eventsIn({ events }: RangeBlocks, { start, end }: Stretch): readonly BlockEvents[] {
  return events.filter((of) => of.first_ts >= start && lastOf(of) < end);
}

/** By thread that is blocked where a range begins: when it is woken, in ns. */
export function wokenAcross({ events }: RangeBlocks, ts: number): ReadonlyMap<number, number> {
  const part = events.findIndex((of) => lastOf(of) <= ts);
  const after = events[part < 0 ? events.length - 1 : part - 1]?.open;
  const woken = new Map<number, number>();
  after?.utids.forEach((utid, at) => woken.set(utid, after.wake_ts[at] ?? 0));
  const of = events[part];
  for (let at = 0; of !== undefined && at < of.backs.length; at++) {
    const event_ts = tsOf(of, at);
    if (event_ts <= ts) break;
    const utid = of.utids[at] ?? 0;
    if (of.wakers[at] === utid) woken.delete(utid);
    else if (!woken.has(utid)) woken.set(utid, event_ts);
  }
  return woken;
}

const lastOf = (events: BlockEvents) => tsOf(events, events.backs.length - 1);

/** When an event was, in ns. */
function tsOf({ first_ts, backs }: BlockEvents, at: number): number {
  return first_ts - ((backs[at] ?? 0) >>> 1);
}
