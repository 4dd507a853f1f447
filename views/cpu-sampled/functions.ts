import type { Calls, Labels } from '../../shared/samples/index.ts';
import type { Butterfly, CallSamples, FunctionSamples } from './model.ts';
import { outermostFrames, type CallSums } from './sum-calls.ts';

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

/** Sums the samples of each function, and of what `chosen` (else the hottest) is called by and calls. */
export function sumFunctions(
  sums: CallSums,
  calls: Calls,
  labels: Labels,
  chosen: string | null,
): FunctionSums {
  const isOutermost = outermostFrames(calls, labels);
  const self = new Int32Array(labels.count);
  const inclusive = new Int32Array(labels.count);
  for (let at = 0; at < isOutermost.length; at++) {
    const weight = sums.inclusive[at] ?? 0;
    if (weight === 0) continue;
    const label = labels.of[calls.frame[at] ?? 0] ?? 0;
    self[label] = (self[label] ?? 0) + (sums.own[at] ?? 0);
    // A stack with a function twice counts once for it.
    if (isOutermost[at] === 1) inclusive[label] = (inclusive[label] ?? 0) + weight;
  }
  const size = (label: number) => (self[label] ?? 0) * 2 ** 21 + (inclusive[label] ?? 0) / 2 ** 11;
  const largest = largestOf(labels.count, size, FUNCTIONS_MAX);
  const toRow = (label: number): FunctionSamples => ({
    label: labels.name(label),
    module: labels.module(label),
    self: self[label] ?? 0,
    samples: inclusive[label] ?? 0,
  });
  const functions = largest.map(toRow);
  const function_count = inclusive.reduce((count, samples) => count + (samples > 0 ? 1 : 0), 0);
  const middle = chosen === null ? largest[0] : findLabel(chosen, largest, inclusive, labels);
  if (middle === undefined) return { functions, function_count, butterfly: null };
  const around = callsAround(middle, sums, calls, labels, isOutermost);
  return { functions, function_count, butterfly: { chosen: toRow(middle), ...around } };
}

/** Of the numbers below `count` the `most` with the greatest size above 0, the greatest first. */
function largestOf(count: number, size: (index: number) => number, most: number): number[] {
  const kept: number[] = [];
  let least = 0;
  const cut = () => {
    kept.sort((a, b) => size(b) - size(a));
    kept.length = Math.min(kept.length, most);
  };
  for (let index = 0; index < count; index++) {
    if (size(index) <= least) continue;
    kept.push(index);
    if (kept.length < 2 * most) continue;
    cut();
    least = size(kept.at(-1) ?? 0);
  }
  cut();
  return kept;
}

/** The label with a name that has samples; a name is made from a label only where its module begins the name. */
function findLabel(
  name: string,
  likely: readonly number[],
  inclusive: Int32Array,
  labels: Labels,
): number | undefined {
  const before = likely.find((label) => labels.name(label) === name);
  if (before !== undefined) return before;
  const found = inclusive.findIndex(
    (samples, label) => samples > 0 && name.startsWith(labels.module(label)) && labels.name(label) === name,
  );
  return found === -1 ? undefined : found;
}

function callsAround(
  middle: number,
  { own, inclusive }: CallSums,
  calls: Calls,
  labels: Labels,
  isOutermost: Uint8Array,
): Pick<Butterfly, 'callers' | 'callees'> {
  const callers = new Map<number, number>();
  const callees = new Map<number, number>();
  const add = (sums: Map<number, number>, label: number, samples: number) => {
    if (samples > 0) sums.set(label, (sums.get(label) ?? 0) + samples);
  };
  const labelAt = (callsite: number) => labels.of[calls.frame[callsite] ?? 0] ?? 0;
  /** 1 for the outermost calls of the function, and where it directly called itself from there. */
  const isMiddle = new Uint8Array(isOutermost.length);
  // A callsite comes after its caller.
  for (let at = 0; at < isMiddle.length; at++) {
    const samples = inclusive[at] ?? 0;
    if (samples === 0) continue;
    const caller = calls.caller[at] ?? -1;
    const within = caller >= 0 && isMiddle[caller] === 1;
    if (labelAt(at) !== middle) {
      if (within) add(callees, labelAt(at), samples);
      continue;
    }
    const outermost = isOutermost[at] === 1;
    if (outermost) add(callers, caller < 0 ? NOBODY : labelAt(caller), samples);
    if (!outermost && !within) continue;
    isMiddle[at] = 1;
    add(callees, NOBODY, own[at] ?? 0);
  }
  const list = (sums: ReadonlyMap<number, number>, nobody: string): CallSamples[] =>
    [...sums]
      .sort(([, a], [, b]) => b - a)
      .slice(0, FUNCTIONS_MAX)
      .map(([label, count]) => ({ label: label === NOBODY ? nobody : labels.name(label), samples: count }));
  return { callers: list(callers, 'nobody: outermost'), callees: list(callees, 'itself') };
}
