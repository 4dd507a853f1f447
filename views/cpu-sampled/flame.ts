import type { CallRuns, PickedGroup, RunSums } from '../../shared/profile/index.ts';
import type { Calls, Labels } from '../../shared/samples/index.ts';
import type { FlameNode } from '../kit/index.ts';

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
  runs: CallRuns,
  { frame }: Calls,
  labels: Labels,
  sums: RunSums,
  least: number,
): FlameNode {
  const count = groups.reduce((sum, group) => sum + group.samples, 0);
  const growth = { first: runs.first, frame, labels, large: findLarge(runs, sums, (count * least) / 10) };
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
  readonly first: Int32Array;
  readonly frame: Int32Array;
  readonly labels: Labels;
  readonly large: LargeRuns;
}

/** The runs with so many samples in all groups together: what has fewer there has fewer in each group, too. */
interface LargeRuns {
  readonly least: number;
  /** For each run the innermost large one of itself and its callers, as an index of those; −1 for none. */
  readonly of: Int32Array;
  /** The runs that are large: a run comes after its caller. */
  readonly runs: readonly number[];
  /** The caller of each as an index of these; −1 for none. */
  readonly callers: readonly number[];
}

function findLarge({ count, caller }: CallRuns, { inclusive }: RunSums, least: number): LargeRuns {
  const of = new Int32Array(count);
  const runs: number[] = [];
  for (let run = 0; run < count; run++) {
    const from = caller[run] ?? -1;
    if ((inclusive[run] ?? 0) >= least) of[run] = runs.push(run) - 1;
    else of[run] = from < 0 ? -1 : (of[from] ?? -1);
  }
  return { least, of, runs, callers: runs.map((run) => of[caller[run] ?? -1] ?? -1) };
}

function growGroup(
  { pieces, samples: count }: PickedGroup,
  { first, frame, labels, large }: Growth,
): Growing {
  const { callers, least } = large;
  const [own, inclusive] = [new Int32Array(callers.length), new Int32Array(callers.length)];
  for (const { runs } of pieces) countLarge(runs, large, own, inclusive);
  for (let at = callers.length - 1; at >= 0; at--) {
    const caller = callers[at] ?? -1;
    if (caller >= 0) inclusive[caller] = (inclusive[caller] ?? 0) + (inclusive[at] ?? 0);
  }
  const group: Growing = { of: -1, samples: count, self: 0, children: new Map() };
  const nodes = new Array<Growing | undefined>(callers.length);
  for (let at = 0; at < callers.length; at++) {
    const weight = inclusive[at] ?? 0;
    const caller = callers[at] ?? -1;
    let node = caller === -1 ? group : nodes[caller];
    if (weight === 0 || weight < least || node === undefined) continue;
    const run = large.runs[at] ?? 0;
    const end = first[run + 1] ?? 0;
    for (let callsite = first[run] ?? 0; callsite < end; callsite++) {
      const child = childOf(node, labels.of[frame[callsite] ?? 0] ?? 0, labels);
      if (child !== node) child.samples += weight;
      node = child;
    }
    node.self += own[at] ?? 0;
    nodes[at] = node;
  }
  return group;
}

/** Counts the samples of runs in large ones: those that end there, and those that end there or below. */
function countLarge(runs: Int32Array, large: LargeRuns, own: Int32Array, inclusive: Int32Array): void {
  const { of, runs: ofLarge } = large;
  for (let row = 0; row < runs.length; row++) {
    const run = runs[row] ?? 0;
    const at = of[run] ?? -1;
    if (at < 0) continue;
    inclusive[at] = (inclusive[at] ?? 0) + 1;
    if (ofLarge[at] === run) own[at] = (own[at] ?? 0) + 1;
  }
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
