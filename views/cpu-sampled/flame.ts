import type { Calls, Labels, Samples } from '../../shared/samples/index.ts';
import type { FlameNode } from './model.ts';
import type { PickedGroup } from './pick.ts';

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
  least: number,
): FlameNode {
  const count = groups.reduce((sum, group) => sum + group.samples, 0);
  const root = newNode('all', '', -1, null);
  root.samples = count;
  const inclusive = new Int32Array(calls.caller.length);
  const own = new Int32Array(calls.caller.length);
  groups.forEach((group, index) => {
    const node = newNode(group.label, '', -1, root);
    node.samples = group.samples;
    root.children.set(index, node);
    growGroup(node, group, { samples, calls, labels, inclusive, own, least: (count * least) / 10 });
  });
  return finish(root, count * least);
}

interface Growth {
  readonly samples: Samples;
  readonly calls: Calls;
  readonly labels: Labels;
  /** Samples by callsite, all 0 between two groups. */
  readonly inclusive: Int32Array;
  readonly own: Int32Array;
  /** Calls with fewer samples are not looked into. */
  readonly least: number;
}

function growGroup(group: Growing, { rows }: PickedGroup, growth: Growth): void {
  const { samples, calls, labels, inclusive, own, least } = growth;
  for (const row of rows) {
    const callsite = samples.callsite[row] ?? 0;
    own[callsite] = (own[callsite] ?? 0) + 1;
  }
  const touched: number[] = [];
  for (const row of rows) {
    const leaf = samples.callsite[row] ?? 0;
    const weight = own[leaf] ?? 0;
    // Each leaf once: its sum is made negative when it has been added to its callers.
    if (weight <= 0) continue;
    own[leaf] = -weight;
    for (let at = leaf; at >= 0; at = calls.caller[at] ?? -1) {
      if (inclusive[at] === 0) touched.push(at);
      inclusive[at] = (inclusive[at] ?? 0) + weight;
    }
  }
  const nodes = new Map<number, Growing>();
  // A callsite comes after its caller.
  for (const at of Int32Array.from(touched).sort()) {
    const weight = inclusive[at] ?? 0;
    const caller = calls.caller[at] ?? -1;
    const parent = caller === -1 ? group : nodes.get(caller);
    if (weight >= least && parent !== undefined) {
      const node = childOf(parent, calls.frame[at] ?? 0, labels);
      if (node !== parent) node.samples += weight;
      node.self -= own[at] ?? 0;
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
