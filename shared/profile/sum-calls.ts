import type { Calls, Labels } from '../samples/index.ts';
import type { CallRuns } from './call-runs.ts';
import type { Piece } from './pick.ts';

/** Samples of each run of calls, of all groups together. */
export interface RunSums {
  /** In its last call itself. */
  readonly own: Int32Array;
  /** In any of its calls, or in what the last one called. */
  readonly inclusive: Int32Array;
}

/** Sums samples along the tree of calls: one step a sample and one a run, however deep the stacks. */
export function sumRuns(pieces: readonly Pick<Piece, 'runs'>[], runs: CallRuns): RunSums {
  const own = new Int32Array(runs.count);
  for (const piece of pieces) countEach(piece.runs, own);
  const inclusive = own.slice();
  // A run comes after its caller: from the last one on, its sum is whole when it is added to its caller.
  for (let run = runs.count - 1; run >= 0; run--) {
    const sum = inclusive[run] ?? 0;
    const to = runs.caller[run] ?? -1;
    if (sum !== 0 && to >= 0) inclusive[to] = (inclusive[to] ?? 0) + sum;
  }
  return { own, inclusive };
}

/** Counts how often each number is there. */
function countEach(numbers: Int32Array, counts: Int32Array): void {
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    counts[number] = (counts[number] ?? 0) + 1;
  }
}

/** The labels of calls. */
export interface CallLabels {
  /** The label of each call. */
  readonly of: Int32Array;
  /** Whether one of its callers has the same label. */
  readonly isInner: (callsite: number) => boolean;
}

const kept = new WeakMap<Int32Array, CallLabels>();

/** The labels of all calls; made once for a kind of labels. */
export function labelCalls(calls: Calls, labels: Labels): CallLabels {
  const known = kept.get(labels.of) ?? makeCallLabels(calls, labels);
  kept.set(labels.of, known);
  return known;
}

/** What is known of a call: nothing, that a caller has the same label, or that none has. */
const [UNKNOWN, INNER, OUTERMOST] = [0, 1, 2];

function makeCallLabels({ caller, frame }: Calls, { of: ofFrame, isFrame }: Labels): CallLabels {
  const of = isFrame ? frame : new Int32Array(frame.length);
  if (!isFrame) for (let at = 0; at < of.length; at++) of[at] = ofFrame[frame[at] ?? 0] ?? 0;
  const known = new Uint8Array(of.length);
  // Found where it is asked for: most calls are of labels that no table shows.
  const isInner = (callsite: number): boolean => {
    if (known[callsite] === UNKNOWN) {
      const label = of[callsite] ?? 0;
      let up = caller[callsite] ?? -1;
      while (up >= 0 && of[up] !== label) up = caller[up] ?? -1;
      known[callsite] = up >= 0 ? INNER : OUTERMOST;
    }
    return known[callsite] === INNER;
  };
  return { of, isInner };
}
