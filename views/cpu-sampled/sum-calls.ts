import type { Calls, Labels, Samples } from '../../shared/samples/index.ts';
import type { PickedGroup } from './pick.ts';

/** Samples by callsite, of all groups together. */
export interface CallSums {
  /** In the call itself. */
  readonly own: Int32Array;
  /** In it or in what it called. */
  readonly inclusive: Int32Array;
}

/** Sums samples along the tree of calls: one step a sample and one a callsite, however deep the stacks. */
export function sumCalls(groups: readonly PickedGroup[], samples: Samples, { caller }: Calls): CallSums {
  const own = new Int32Array(caller.length);
  for (const { rows } of groups) {
    for (const row of rows) {
      const callsite = samples.callsite[row] ?? 0;
      own[callsite] = (own[callsite] ?? 0) + 1;
    }
  }
  const inclusive = own.slice();
  // A callsite comes after its caller: from the last one on, its sum is whole when it is added to its caller.
  for (let at = caller.length - 1; at >= 0; at--) {
    const to = caller[at] ?? -1;
    if (to >= 0) inclusive[to] = (inclusive[to] ?? 0) + (inclusive[at] ?? 0);
  }
  return { own, inclusive };
}

const kept = new WeakMap<Int32Array, Uint8Array>();

/** For each callsite 1 if none of its callers has the label that it has; found once for a kind of labels. */
export function outermostFrames(calls: Calls, labels: Labels): Uint8Array {
  const before = kept.get(labels.of);
  if (before !== undefined) return before;
  const found = findOutermost(calls, labels);
  kept.set(labels.of, found);
  return found;
}

/** Walks the tree with a count of how often each label is on the path from the outermost call. */
function findOutermost({ caller, frame }: Calls, labels: Labels): Uint8Array {
  const count = caller.length;
  const firstCallee = new Int32Array(count).fill(-1);
  const next = new Int32Array(count).fill(-1);
  let first = -1;
  for (let at = count - 1; at >= 0; at--) {
    const to = caller[at] ?? -1;
    next[at] = to < 0 ? first : (firstCallee[to] ?? -1);
    if (to < 0) first = at;
    else firstCallee[to] = at;
  }
  const onPath = new Int32Array(labels.count);
  const isOutermost = new Uint8Array(count);
  const change = (at: number, by: number): number => {
    const label = labels.of[frame[at] ?? 0] ?? 0;
    return (onPath[label] = (onPath[label] ?? 0) + by);
  };
  let at = first;
  while (at >= 0) {
    if (change(at, 1) === 1) isOutermost[at] = 1;
    let to = firstCallee[at] ?? -1;
    while (to < 0 && at >= 0) {
      change(at, -1);
      to = next[at] ?? -1;
      at = caller[at] ?? -1;
    }
    at = to;
  }
  return isOutermost;
}
