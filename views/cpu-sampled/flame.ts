import type { Calls, Labels, SampleColumns } from '../../shared/samples/index.ts';
import type { FlameNode } from './model.ts';
import type { PickedGroup } from './pick.ts';
import type { CallSums } from './sum-calls.ts';

/** A node while its tree is built. */
interface Growing {
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
  samples: SampleColumns,
  calls: Calls,
  labels: Labels,
  sums: CallSums,
  least: number,
): FlameNode {
  const count = groups.reduce((sum, group) => sum + group.samples, 0);
  const growth = { samples, labels, large: findLarge(calls, sums, (count * least) / 10) };
  const key = hash('all', 0);
  const children = groups
    .filter((group) => group.samples >= count * least)
    .map((group) => {
      const node = growGroup(group, growth);
      return finish(
        node,
        { label: group.label, module: '', key: hash(group.label, key) },
        labels,
        count * least,
      );
    });
  return { key, label: 'all', module: '', samples: count, self: 0, children };
}

interface Growth {
  readonly samples: SampleColumns;
  readonly labels: Labels;
  readonly large: LargeCalls;
}

/** The calls with so many samples in all groups together: what has fewer there has fewer in each group, too. */
interface LargeCalls {
  readonly least: number;
  /** For each callsite the innermost large one of itself and its callers, as an index of those; −1 for none. */
  readonly of: Int32Array;
  /** The callsites that are large: a callsite comes after its caller. */
  readonly callsites: readonly number[];
  /** The frame of each, and its caller as an index of these; −1 for none. */
  readonly frames: readonly number[];
  readonly callers: readonly number[];
}

function findLarge({ caller, frame }: Calls, { inclusive }: CallSums, least: number): LargeCalls {
  const of = new Int32Array(caller.length);
  const callsites: number[] = [];
  for (let at = 0; at < of.length; at++) {
    const from = caller[at] ?? -1;
    if ((inclusive[at] ?? 0) >= least) of[at] = callsites.push(at) - 1;
    else of[at] = from < 0 ? -1 : (of[from] ?? -1);
  }
  const frames = callsites.map((at) => frame[at] ?? 0);
  const callers = callsites.map((at) => of[caller[at] ?? -1] ?? -1);
  return { least, of, callsites, frames, callers };
}

function growGroup({ rows, samples: count }: PickedGroup, { samples, labels, large }: Growth): Growing {
  const { callsites, callers, frames, least } = large;
  const [own, inclusive] = [new Int32Array(callsites.length), new Int32Array(callsites.length)];
  for (const row of rows) {
    const callsite = samples.callsite[row] ?? 0;
    const at = large.of[callsite] ?? -1;
    if (at < 0) continue;
    inclusive[at] = (inclusive[at] ?? 0) + 1;
    if (callsites[at] === callsite) own[at] = (own[at] ?? 0) + 1;
  }
  for (let at = callers.length - 1; at >= 0; at--) {
    const caller = callers[at] ?? -1;
    if (caller >= 0) inclusive[caller] = (inclusive[caller] ?? 0) + (inclusive[at] ?? 0);
  }
  const group: Growing = { of: -1, samples: count, self: 0, children: new Map() };
  const nodes = new Map<number, Growing>();
  for (let at = 0; at < callers.length; at++) {
    const weight = inclusive[at] ?? 0;
    const caller = callers[at] ?? -1;
    const parent = caller === -1 ? group : nodes.get(caller);
    if (weight === 0 || weight < least || parent === undefined) continue;
    const node = childOf(parent, labels.of[frames[at] ?? 0] ?? 0, labels);
    if (node !== parent) node.samples += weight;
    node.self += own[at] ?? 0;
    nodes.set(at, node);
  }
  return group;
}

/** The node of a label below `parent`; that itself if a module calls itself. */
function childOf(parent: Growing, of: number, labels: Labels): Growing {
  if (labels.joins && parent.of === of) return parent;
  const before = parent.children.get(of);
  if (before !== undefined) return before;
  const node: Growing = { of, samples: 0, self: 0, children: new Map() };
  parent.children.set(of, node);
  return node;
}

function finish(
  { samples, self, children }: Growing,
  named: Pick<FlameNode, 'key' | 'label' | 'module'>,
  labels: Labels,
  least: number,
): FlameNode {
  const kept = [...children.values()]
    .filter((child) => child.samples >= least)
    .sort((a, b) => b.samples - a.samples)
    .map((child) => {
      const label = labels.name(child.of);
      const key = hash(label, named.key);
      return finish(child, { key, label, module: labels.module(child.of) }, labels, least);
    });
  return { ...named, samples, self, children: kept };
}

/** FNV-1a, on from the hash of the caller. */
function hash(text: string, seed: number): number {
  let value = (seed ^ 0x811c9dc5) >>> 0;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
}
