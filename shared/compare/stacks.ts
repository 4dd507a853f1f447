import { labelFrames, type Calls } from '../samples/index.ts';

/** Frames with a smaller share of a process's samples are left out: they would be narrower than a line. */
const LEAST_SHARE = 0.001;

/** A frame of the sampled stacks of a process, with all that it called. */
export interface StackNode {
  readonly label: string;
  /** The module of the frame; empty where none is known. */
  readonly module: string;
  /** CPU time that the samples in it, or in what it called, stand for. */
  readonly ns: number;
  readonly children: readonly StackNode[];
}

/** A frame with what both sides have of it, in ns; A is for so long as B is. */
export interface ComparedStack {
  readonly label: string;
  readonly module: string;
  readonly a_ns: number;
  readonly b_ns: number;
  readonly children: readonly ComparedStack[];
}

interface Growing {
  /** A label of a function or an address; of code that nothing names the complement of the label of its module. */
  readonly label: number;
  ns: number;
  readonly children: Map<number, Growing>;
}

/** The tree of the stacks that end in these calls, which have so many ns each. */
export function growStacks(innermost: ReadonlyMap<number, number>, calls: Calls): StackNode {
  const [labels, modules] = [labelFrames(calls, 'function'), labelFrames(calls, 'module')];
  const root: Growing = { label: 0, ns: 0, children: new Map() };
  const labelOf = (call: number, isInnermost: boolean) => {
    const frame = calls.frame[call] ?? 0;
    // Where a sample hits is chance: no other recording has that address, while it has those of calls.
    const isChance = isInnermost && (calls.function[frame] ?? -1) === -1;
    return isChance ? ~(modules.of[frame] ?? 0) : (labels.of[frame] ?? 0);
  };
  for (const [last, ns] of innermost) {
    const stack: number[] = [];
    for (let call = last; call >= 0; call = calls.caller[call] ?? -1)
      stack.push(labelOf(call, call === last));
    root.ns += ns;
    let node = root;
    for (let label = stack.pop(); label !== undefined; label = stack.pop()) {
      const child = node.children.get(label) ?? { label, ns: 0, children: new Map<number, Growing>() };
      node.children.set(label, child);
      child.ns += ns;
      node = child;
    }
  }
  const finish = ({ label, ns, children }: Growing): StackNode => ({
    label: label < 0 ? `${modules.name(~label)}, without symbols` : labels.name(label),
    module: label < 0 ? modules.module(~label) : labels.module(label),
    ns,
    children: finishAll(children),
  });
  const finishAll = (children: Growing['children']) =>
    [...children.values()].filter((child) => child.ns >= root.ns * LEAST_SHARE).map(finish);
  return { label: 'all', module: '', ns: root.ns, children: finishAll(root.children) };
}

/** Adds frames of a side to those that are called the same and have the same callers, times `scale`. */
function add(into: Joining, nodes: readonly StackNode[], side: 'a_ns' | 'b_ns', scale: number): void {
  for (const { label, module, ns, children } of nodes) {
    const known = into.children.get(label) ?? { label, module, a_ns: 0, b_ns: 0, children: new Map() };
    into.children.set(label, known);
    known[side] += ns * scale;
    add(known, children, side, scale);
  }
}

interface Joining {
  readonly label: string;
  readonly module: string;
  a_ns: number;
  b_ns: number;
  readonly children: Map<string, Joining>;
}

/** The stacks of both sides as one tree; `scale` is what each is multiplied by. Most time of both together comes first. */
export function joinStacks(
  a: readonly StackNode[],
  b: readonly StackNode[],
  scale: { readonly a: number; readonly b: number },
): ComparedStack {
  const root: Joining = { label: 'all', module: '', a_ns: 0, b_ns: 0, children: new Map() };
  for (const { ns, children } of a) {
    root.a_ns += ns * scale.a;
    add(root, children, 'a_ns', scale.a);
  }
  for (const { ns, children } of b) {
    root.b_ns += ns * scale.b;
    add(root, children, 'b_ns', scale.b);
  }
  const finish = ({ children, ...node }: Joining): ComparedStack => ({
    ...node,
    children: [...children.values()].map(finish).sort((x, y) => y.a_ns + y.b_ns - (x.a_ns + x.b_ns)),
  });
  return finish(root);
}
