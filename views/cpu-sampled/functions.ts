import type { Calls, Labels, Samples } from '../../shared/samples/index.ts';
import type { Butterfly, CallSamples, FunctionSamples } from './model.ts';
import type { PickedGroup } from './pick.ts';

/** How many functions, callers and callees the model has at most. */
const FUNCTIONS_MAX = 500;
/** No label, such as that of who calls the outermost frame. */
const NOBODY = -1;

/** What the tables of functions hold. */
export interface FunctionSums {
  readonly functions: readonly FunctionSamples[];
  readonly function_count: number;
  readonly butterfly: Butterfly | null;
}

/** Sums the samples of each function over all groups, and of what `chosen` (else the hottest) is called by and calls. */
export function sumFunctions(
  groups: readonly PickedGroup[],
  samples: Samples,
  calls: Calls,
  labels: Labels,
  chosen: string | null,
): FunctionSums {
  const leaves = new Map<number, number>();
  for (const { rows } of groups) {
    for (const row of rows) {
      const callsite = samples.callsite[row] ?? 0;
      leaves.set(callsite, (leaves.get(callsite) ?? 0) + 1);
    }
  }
  const self = new Int32Array(labels.count);
  const inclusive = new Int32Array(labels.count);
  const lastLeaf = new Int32Array(labels.count).fill(-1);
  const labelAt = (callsite: number) => labels.of[calls.frame[callsite] ?? 0] ?? 0;
  for (const [leaf, weight] of leaves) {
    self[labelAt(leaf)] = (self[labelAt(leaf)] ?? 0) + weight;
    for (let at = leaf; at >= 0; at = calls.caller[at] ?? -1) {
      const label = labelAt(at);
      if (lastLeaf[label] === leaf) continue;
      lastLeaf[label] = leaf;
      inclusive[label] = (inclusive[label] ?? 0) + weight;
    }
  }
  const found: number[] = [];
  for (let label = 0; label < labels.count; label++) if ((inclusive[label] ?? 0) > 0) found.push(label);
  const size = (label: number) => (self[label] ?? 0) * 2 ** 21 + (inclusive[label] ?? 0) / 2 ** 11;
  found.sort((a, b) => size(b) - size(a));
  const toRow = (label: number): FunctionSamples => ({
    label: labels.name(label),
    module: labels.module(label),
    self: self[label] ?? 0,
    samples: inclusive[label] ?? 0,
  });
  const middle = chosen === null ? found[0] : found.find((label) => labels.name(label) === chosen);
  const functions = found.slice(0, FUNCTIONS_MAX).map(toRow);
  if (middle === undefined) return { functions, function_count: found.length, butterfly: null };
  const around = callsAround(middle, leaves, calls, labelAt, labels);
  return { functions, function_count: found.length, butterfly: { chosen: toRow(middle), ...around } };
}

function callsAround(
  middle: number,
  leaves: ReadonlyMap<number, number>,
  calls: Calls,
  labelAt: (callsite: number) => number,
  labels: Labels,
): Pick<Butterfly, 'callers' | 'callees'> {
  const callers = new Map<number, number>();
  const callees = new Map<number, number>();
  for (const [leaf, weight] of leaves) {
    let caller: number | null = null;
    let callee = NOBODY;
    let below = NOBODY;
    // From the innermost outward: the last one that is found is the outermost.
    for (let at = leaf; at >= 0; at = calls.caller[at] ?? -1) {
      const label = labelAt(at);
      if (label === middle) {
        if (below !== middle) callee = below;
        caller = NOBODY;
      } else if (below === middle) caller = label;
      below = label;
    }
    if (caller === null) continue;
    callers.set(caller, (callers.get(caller) ?? 0) + weight);
    callees.set(callee, (callees.get(callee) ?? 0) + weight);
  }
  const list = (sums: ReadonlyMap<number, number>, nobody: string): CallSamples[] =>
    [...sums]
      .sort(([, a], [, b]) => b - a)
      .slice(0, FUNCTIONS_MAX)
      .map(([label, count]) => ({ label: label === NOBODY ? nobody : labels.name(label), samples: count }));
  return { callers: list(callers, 'nobody: outermost'), callees: list(callees, 'itself') };
}
