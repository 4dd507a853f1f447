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
