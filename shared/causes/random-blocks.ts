/** Threads that block and wake each other at random, as sweeps are told of them. */
import fc from 'fast-check';
import type { Stretch } from '../tables/index.ts';
import type { BlockEvents } from './block-events.ts';
import { CpuTimes } from './cpu-times.ts';
import type { RangeBlocks } from './kept-blocks.ts';

/** A block begins, where `waker` is the thread itself, or ends. */
export interface Event {
  readonly ts: number;
  readonly utid: number;
  readonly waker: number;
  readonly isForWork: boolean;
}

/** What happens next: so many ns later, with which thread, by which one. */
export interface Step {
  readonly ns: number;
  readonly utid: number;
  readonly waker: number;
  readonly isForWork: boolean;
  /** Whether it is told as it does not happen. */
  readonly isWrong: boolean;
}

export const THREADS = 7;
export const START = 1000;

/** Threads that block and wake each other. The first ones do so seldom. */
export const steps = (wrong: number) =>
  fc.array(
    fc.record<Step>({
      ns: fc.integer({ min: 0, max: 4 }),
      utid: fc.oneof(
        { weight: 1, arbitrary: fc.integer({ min: 1, max: THREADS }) },
        { weight: 6, arbitrary: fc.integer({ min: 4, max: THREADS }) },
      ),
      waker: fc.integer({ min: 0, max: THREADS }),
      isForWork: fc.boolean(),
      isWrong: wrong === 0 ? fc.constant(false) : fc.integer({ min: 1, max: 100 }).map((of) => of <= wrong),
    }),
    { minLength: 1, maxLength: 300, size: 'max' },
  );

/** What steps lead to, in the order of time. */
export function eventsOf(all: readonly Step[]): readonly Event[] {
  const events: Event[] = [];
  const blocked = new Map<number, boolean>();
  let ts = START;
  for (const { ns, utid, waker, isForWork, isWrong } of all) {
    ts += ns;
    const was = blocked.get(utid);
    if (isWrong) events.push({ ts: ts + 3 * ns - 6, utid, waker, isForWork });
    else if (was === undefined) {
      blocked.set(utid, isForWork);
      events.push({ ts, utid, waker: utid, isForWork: false });
    } else {
      const awake = [0, 1, 2, 3, 4, 5, 6, 7].filter((other) => !blocked.has(other));
      blocked.delete(utid);
      events.push({ ts, utid, waker: awake[waker % awake.length] ?? 0, isForWork: was });
    }
  }
  return events;
}

/** The blocks of a range, with so many events together. */
export function blocksOf(events: readonly Event[], together: number, range: Stretch): RangeBlocks {
  const parts: BlockEvents[] = [];
  const open = new Map<number, number>();
  const back = events.filter(({ ts }) => ts >= range.start - 1 && ts < range.end + 1).reverse();
  for (let from = 0, to = 0; from < back.length; from = to) {
    const first_ts = back[from]?.ts ?? 0;
    const isLater = (at: number) => at > from && (back[at]?.ts ?? 0) > (back[at - 1]?.ts ?? 0);
    for (; to < Math.min(from + together, back.length) && !isLater(to); to++) {
      const { utid, waker, ts } = back[to] ?? { utid: 0, waker: 0, ts: 0 };
      if (waker === utid) open.delete(utid);
      else if (!open.has(utid)) open.set(utid, ts);
    }
    const some = back.slice(from, to);
    parts.push({
      first_ts,
      backs: Uint32Array.from(some, ({ ts, isForWork }) => 2 * (first_ts - ts) + Number(isForWork)),
      utids: Uint16Array.from(some, ({ utid }) => utid),
      wakers: Uint16Array.from(some, ({ waker }) => waker),
      greatest: Math.max(...some.flatMap(({ utid, waker }) => [utid, waker])),
      open: { utids: Uint32Array.from(open.keys()), wake_ts: Float64Array.from(open.values()) },
    });
  }
  return { range, events: parts, areAll: false, ran: new CpuTimes(range) };
}
