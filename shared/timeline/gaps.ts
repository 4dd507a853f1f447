import { Lane } from './lane.ts';
import { depthOf } from './stack-spans.ts';
import { stateOf, valueOf } from './thread-state.ts';

/** A time in which the events of a CPU are missing. */
export interface Gap {
  readonly ts: number;
  readonly te: number;
}

/** Gaps of all CPUs, each time in one of them alone, in the order of time. */
export function joinGaps(gaps: readonly Gap[]): readonly Gap[] {
  return depthOf(gaps);
}

/** What tells how the stretches of a thread's lane go on after a gap. */
export interface Readied {
  /** Whether events tell when threads become ready. */
  readonly isTold: boolean;
  /** When the thread was last readied in a stretch in which it was so more than once, by where that begins. */
  readonly last: ReadonlyMap<number, number>;
}

/**
 * The lane of a thread in which nothing is told that a gap may have hidden. A thread that did not run could have been woken and have run
 * on any CPU whose events are missing; only a switch to it tells that it was ready after the gap.
 * @param gaps as {@link joinGaps} gives them
 */
export function withGaps(lane: Lane, gaps: readonly Gap[], readied: Readied): Lane {
  const made = new Lane();
  const begin = lane.beginOf(0);
  let from = 0;
  lane.visit(begin, Infinity, ({ ts, te, value }) => {
    const state = stateOf(value);
    while ((gaps[from]?.te ?? Infinity) <= ts) from++;
    const first = gaps[from];
    if ((state !== 'blocked' && state !== 'ready') || first === undefined || first.ts >= te) {
      made.append(ts, value);
      return true;
    }
    // Before its first event even its creation may be hidden.
    const isKnown = first.ts > ts && ts !== begin;
    if (isKnown) made.append(ts, value);
    made.append(isKnown ? first.ts : ts, valueOf('lost'));
    let last = from;
    while ((gaps[last + 1]?.ts ?? Infinity) < te) last++;
    const after = Math.max(gaps[last]?.te ?? te, readied.last.get(ts) ?? ts);
    const wasReady = stateOf(lane.at(te).value) === 'running' && (readied.isTold || state === 'ready');
    if (after < te && wasReady) made.append(after, valueOf('ready'));
    return true;
  });
  made.trim();
  return made;
}
