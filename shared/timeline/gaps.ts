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

/**
 * The lane of a thread in which nothing is told that a gap may have hidden. A thread that did not run could have been woken and have run
 * on any CPU whose events are missing; only a switch to it tells that it was ready after the gap.
 * @param gaps as {@link joinGaps} gives them
 */
export function withGaps(lane: Lane, gaps: readonly Gap[], readied: Readied): Lane {
  const made = new Lane();
  const begin = lane.beginOf(0);
  let from = 0;
  let before: readonly [wait: Step | null, run: Step | null] = [null, null];
  lane.visit(begin, Infinity, (step) => {
    const { ts, te, value } = step;
    const state = stateOf(value);
    while ((gaps[from]?.te ?? Infinity) <= ts) from++;
    const mayBeReady = state === 'blocked' && wasWokenUnseen(...before, gaps[from - 1], readied);
    before = [before[1], step];
    if (mayBeReady) {
      made.append(ts, valueOf('lost'));
      return true;
    }
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

/** A run of which only the end was seen begins so long after the gap that hides its beginning, at most. */
const LONGEST_AFTER_NS = 1;

/**
 * Whether a thread that went on to wait may have been ready at once: it was woken in a gap, and only the end of its run was seen. The wake
 * came before that run or, as a thread goes to wait, late in it.
 */
function wasWokenUnseen(
  wait: Step | null,
  run: Step | null,
  gap: Gap | undefined,
  { last }: Readied,
): boolean {
  if (wait === null || run === null || gap === undefined) return false;
  if (stateOf(wait.value) !== 'ready' || stateOf(run.value) !== 'running') return false;
  const woken_ts = last.get(wait.ts) ?? wait.ts;
  return woken_ts >= gap.ts && woken_ts <= gap.te && run.ts - gap.te <= LONGEST_AFTER_NS;
}
