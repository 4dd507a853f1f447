import { Lane, type Step } from './lane.ts';
import { depthOf } from './stack-spans.ts';
import { stateOf, valueOf } from './thread-state.ts';

/** A time in which the events of a CPU are missing. */
export interface Gap {
  readonly ts: number;
  readonly te: number;
}

/** Gaps of all CPUs as those of the machine, in the order of time: none touches another. */
export function joinGaps(gaps: readonly Gap[]): readonly Gap[] {
  const joined: { ts: number; te: number }[] = [];
  for (const { ts, te } of depthOf(gaps)) {
    const last = joined.at(-1);
    if (last?.te === ts) last.te = te;
    else joined.push({ ts, te });
  }
  return joined;
}

/** What tells how the stretches of a thread's lane go on after a gap. */
export interface Readied {
  /** Whether events tell when threads become ready. */
  readonly isTold: boolean;
  /** When the thread was last readied in a stretch in which it was so more than once, by where that begins. */
  readonly last: ReadonlyMap<number, number>;
}

/** A gap can hide the beginning of a run. A run whose end alone was seen begins at most so long after that gap. */
const LONGEST_AFTER_NS = 1;

/**
 * The lane of a thread in which nothing is told that a gap may have hidden. A thread that did not run could have been woken and have run
 * on any CPU whose events are missing; only a switch to it tells that it was ready after the gap.
 * @param gaps as {@link joinGaps} gives them
 */
export function withGaps(lane: Lane, gaps: readonly Gap[], { isTold, last: lastOf }: Readied): Lane {
  const made = new Lane();
  const begin = lane.beginOf(0);
  let from = 0;
  let run: Step | null = null;
  /** A wait that went before the last run, and when the thread was last readied in it; null where that is not told. */
  let wait: { readonly te: number; readonly readied_ts: number | null } | null = null;
  lane.visit(begin, Infinity, (step) => {
    const { ts, te, value } = step;
    const state = stateOf(value);
    const before = run;
    const isReady = state === 'ready';
    // What readied it after it was preempted, and then ran and waited in a gap, is not told.
    const readied_ts = isReady && before?.te === ts ? null : (lastOf.get(ts) ?? ts);
    const waited = wait !== null && wait.te === before?.ts ? wait : null;
    if (state === 'running') run = step;
    if (isReady) wait = { te, readied_ts };
    while ((gaps[from]?.te ?? Infinity) <= ts) from++;
    const first = gaps[from];
    const hidden = gaps[from - 1];
    if (state === 'blocked' && waited !== null && before?.te === ts && hidden !== undefined) {
      // Of the run only its end was seen: the wake came before it or, as a thread goes to wait, late in it.
      const isEndAlone = before.ts - hidden.te <= LONGEST_AFTER_NS;
      if (isEndAlone && (waited.readied_ts ?? hidden.te) >= hidden.ts) {
        made.append(ts, valueOf('lost'));
        return true;
      }
    }
    if ((state !== 'blocked' && !isReady) || first === undefined || first.ts >= te) {
      made.append(ts, value);
      return true;
    }
    // Before its first event even its creation may be hidden.
    const isKnown = first.ts > ts && ts !== begin;
    if (isKnown) made.append(ts, value);
    made.append(isKnown ? first.ts : ts, valueOf('lost'));
    if (!isTold || readied_ts === null || stateOf(lane.at(te).value) !== 'running') return true;
    let last = from;
    while ((gaps[last + 1]?.ts ?? Infinity) < te) last++;
    const after = Math.max(gaps[last]?.te ?? te, readied_ts);
    if (after < te) made.append(after, valueOf('ready'));
    return true;
  });
  made.trim();
  return made;
}
