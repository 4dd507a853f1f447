import type { Calls, Labels, Samples } from '../../shared/samples/index.ts';
import type { FlameNode } from './model.ts';
import type { PickedGroup } from './pick.ts';
import type { CallSums } from './sum-calls.ts';

/** A node while its tree is built. */
interface Growing {
  readonly label: string;
  readonly module: string;
  readonly key: number;
  /** Which label of the frames it has; −1 for a group. */
  readonly of: number;
  samples: number;
  self: number;
  readonly children: Map<number, Growing>;
}

/**
 * The tree of frames below the groups. Calls with less than a tenth of the share `least` are not looked into, and frames
 * that then have less than `least` are left out; what they ran counts in their callers.
 */
export function growFlame(
  groups: readonly PickedGroup[],
  samples: Samples,
  calls: Calls,
  labels: Labels,
  sums: CallSums,
  least: number,
): FlameNode {
  const count = groups.reduce((sum, group) => sum + group.samples, 0);
  const root = newNode('all', '', -1, null);
  root.samples = count;
  const looked = (count * least) / 10;
  const growth: Growth = {
    samples,
    calls,
    labels,
    large: largeCalls(calls, sums, looked),
    inclusive: new Int32Array(calls.caller.length),
    own: new Int32Array(calls.caller.length),
    least: looked,
  };
  groups.forEach((group, index) => {
    const node = newNode(group.label, '', -1, root);
    node.samples = group.samples;
    root.children.set(index, node);
    growGroup(node, group, growth);
  });
  return finish(root, count * least);
}

interface Growth {
  readonly samples: Samples;
  readonly calls: Calls;
  readonly labels: Labels;
  readonly large: Int32Array;
  /** Samples by callsite, all 0 between two groups. */
  readonly inclusive: Int32Array;
  readonly own: Int32Array;
  /** Calls with fewer samples are not looked into. */
  readonly least: number;
}

/**
 * For each callsite the innermost of itself and its callers that has `least` samples in all groups together, −1 for none:
 * what has fewer there has fewer in each group, too.
 */
function largeCalls({ caller }: Calls, { inclusive }: CallSums, least: number): Int32Array {
  const large = new Int32Array(caller.length);
  for (let at = 0; at < large.length; at++) {
    const from = caller[at] ?? -1;
    large[at] = (inclusive[at] ?? 0) >= least ? at : from < 0 ? -1 : (large[from] ?? -1);
  }
  return large;
}

function growGroup(group: Growing, { rows }: PickedGroup, growth: Growth): void {
  const { samples, calls, labels, large, inclusive, own, least } = growth;
  const touched: number[] = [];
  const touch = (callsite: number) => {
    // Its callers stand before it, and have been touched if it was.
    for (let at = callsite; at >= 0 && inclusive[at] === 0; at = calls.caller[at] ?? -1) {
      inclusive[at] = 1;
      touched.push(at);
    }
  };
  for (const row of rows) {
    const callsite = samples.callsite[row] ?? 0;
    const at = large[callsite] ?? -1;
    if (at < 0) continue;
    if (inclusive[at] === 0) touch(at);
    inclusive[at] = (inclusive[at] ?? 0) + 1;
    if (at === callsite) own[at] = (own[at] ?? 0) + 1;
  }
  // Sums began at 1, as the mark of what was touched.
  const order = Int32Array.from(touched).sort();
  for (let index = order.length - 1; index >= 0; index--) {
    const at = order[index] ?? 0;
    const caller = calls.caller[at] ?? -1;
    inclusive[at] = (inclusive[at] ?? 1) - 1;
    if (caller >= 0) inclusive[caller] = (inclusive[caller] ?? 0) + (inclusive[at] ?? 0);
  }
  const nodes = new Map<number, Growing>();
  // A callsite comes after its caller.
  for (const at of order) {
    const weight = inclusive[at] ?? 0;
    const caller = calls.caller[at] ?? -1;
    const parent = caller === -1 ? group : nodes.get(caller);
    if (weight >= least && parent !== undefined) {
      const node = childOf(parent, calls.frame[at] ?? 0, labels);
      if (node !== parent) node.samples += weight;
      node.self += own[at] ?? 0;
      nodes.set(at, node);
    }
    inclusive[at] = 0;
    own[at] = 0;
  }
}

/** The node of a frame below `parent`; that itself if a module calls itself. */
function childOf(parent: Growing, frame: number, labels: Labels): Growing {
  const of = labels.of[frame] ?? 0;
  if (labels.joins && parent.of === of) return parent;
  const before = parent.children.get(of);
  if (before !== undefined) return before;
  const node = newNode(labels.name(of), labels.module(of), of, parent);
  parent.children.set(of, node);
  return node;
}

function newNode(label: string, module: string, of: number, parent: Growing | null): Growing {
  return {
    label,
    module,
    of,
    key: hash(label, parent?.key ?? 0),
    samples: 0,
    self: 0,
    children: new Map<number, Growing>(),
  };
}

function finish({ key, label, module, samples, self, children }: Growing, least: number): FlameNode {
  const kept = [...children.values()]
    .filter((child) => child.samples >= least)
    .sort((a, b) => b.samples - a.samples)
    .map((child) => finish(child, least));
  return { key, label, module, samples, self, children: kept };
}

/** FNV-1a, on from the hash of the caller. */
function hash(text: string, seed: number): number {
  let value = (seed ^ 0x811c9dc5) >>> 0;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
}
