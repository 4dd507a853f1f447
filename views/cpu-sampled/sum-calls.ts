import type { Calls, Labels, SampleColumns } from '../../shared/samples/index.ts';
import type { PickedGroup } from './pick.ts';

/** SampleColumns of all groups together. */
export interface CallSums {
  /** In each call itself. */
  readonly own: Int32Array;
  /** In it or in what it called. */
  readonly inclusive: Int32Array;
  /** In itself of each label. */
  readonly self: Int32Array;
  /** In it or in what it called; a stack with it twice counts once. */
  readonly ofLabel: Int32Array;
}

/**
 * Sums samples along the tree of calls: one step a sample and one a callsite, however deep the stacks. `labelled` are the labels
 * of the calls, as {@link labelCalls} gives them.
 */
export function sumCalls(
  groups: readonly PickedGroup[],
  samples: SampleColumns,
  { caller }: Calls,
  labelled: Int32Array,
  labelCount: number,
): CallSums {
  const own = new Int32Array(caller.length);
  for (const { rows } of groups) {
    for (const row of rows) {
      const callsite = samples.callsite[row] ?? 0;
      own[callsite] = (own[callsite] ?? 0) + 1;
    }
  }
  const inclusive = own.slice();
  const [self, ofLabel] = [new Int32Array(labelCount), new Int32Array(labelCount)];
  // A callsite comes after its caller: from the last one on, its sum is whole when it is added to its caller.
  for (let at = caller.length - 1; at >= 0; at--) {
    const sum = inclusive[at] ?? 0;
    if (sum === 0) continue;
    const to = caller[at] ?? -1;
    if (to >= 0) inclusive[to] = (inclusive[to] ?? 0) + sum;
    const label = labelled[at] ?? 0;
    if (label >= 0) ofLabel[label] = (ofLabel[label] ?? 0) + sum;
    const mine = own[at] ?? 0;
    if (mine === 0) continue;
    const of = label < 0 ? ~label : label;
    self[of] = (self[of] ?? 0) + mine;
  }
  return { own, inclusive, self, ofLabel };
}

const kept = new WeakMap<Int32Array, Int32Array>();

/** The label of each call; its complement (`~`) where one of the callers has the same. Found once for a kind of labels. */
export function labelCalls(calls: Calls, labels: Labels): Int32Array {
  const before = kept.get(labels.of);
  if (before !== undefined) return before;
  const found = findLabels(calls, labels);
  kept.set(labels.of, found);
  return found;
}

function findLabels({ caller, frame }: Calls, { of }: Labels): Int32Array {
  const labelled = new Int32Array(caller.length);
  /** For each callsite a bit for each label on the path to it; labels may share one. */
  const onPath = new Int32Array(caller.length);
  for (let at = 0; at < labelled.length; at++) {
    const label = of[frame[at] ?? 0] ?? 0;
    const bit = 1 << (Math.imul(label, 0x9e3779b1) >>> 27);
    const from = caller[at] ?? -1;
    let up = from;
    // Where the bit is not on the path to a caller, the label is not either.
    while (up >= 0 && ((onPath[up] ?? 0) & bit) !== 0) {
      const other = labelled[up] ?? 0;
      if (other === label || other === ~label) break;
      up = caller[up] ?? -1;
    }
    const isInner = up >= 0 && ((onPath[up] ?? 0) & bit) !== 0;
    labelled[at] = isInner ? ~label : label;
    onPath[at] = (from < 0 ? 0 : (onPath[from] ?? 0)) | bit;
  }
  return labelled;
}
