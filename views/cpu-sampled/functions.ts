import type { Calls, Labels } from '../../shared/samples/index.ts';
import type { Butterfly, CallSamples, FunctionSamples } from './model.ts';
import type { CallSums } from './sum-calls.ts';

/** No label, such as that of who calls the outermost frame. */
const NOBODY = -1;

/** What the tables of functions hold. */
export interface FunctionSums {
  readonly functions: readonly FunctionSamples[];
  readonly function_count: number;
  readonly butterfly: Butterfly | null;
}

/** What is asked of functions. */
export interface FunctionsWanted {
  /** Whose callers and callees; null for the hottest. */
  readonly chosen: string | null;
  /** How many functions, callers and callees at most. */
  readonly rows: number;
}

/** The samples of each function, and of what one is called by and calls. */
export function sumFunctions(
  sums: CallSums,
  calls: Calls,
  labels: Labels,
  labelled: Int32Array,
  { chosen, rows }: FunctionsWanted,
): FunctionSums {
  const { self, ofLabel } = sums;
  const largest = largestOf(self, ofLabel, rows);
  const toRow = (label: number): FunctionSamples => ({
    label: labels.name(label),
    module: labels.module(label),
    self: self[label] ?? 0,
    samples: ofLabel[label] ?? 0,
  });
  const functions = largest.map(toRow);
  let function_count = 0;
  for (const samples of ofLabel) if (samples !== 0) function_count++;
  const middle = chosen === null ? largest[0] : findLabel(chosen, largest, ofLabel, labels);
  if (middle === undefined) return { functions, function_count, butterfly: null };
  const around = callsAround(middle, sums, calls, labels, labelled, rows);
  return { functions, function_count, butterfly: { chosen: toRow(middle), ...around } };
}

/** The `most` labels with most samples of their own, then with most at all, the greatest first; those without any are none. */
function largestOf(self: Int32Array, ofLabel: Int32Array, most: number): number[] {
  const kept: number[] = [];
  const order = (a: number, b: number) =>
    (self[b] ?? 0) - (self[a] ?? 0) || (ofLabel[b] ?? 0) - (ofLabel[a] ?? 0) || a - b;
  let [leastSelf, leastOfLabel] = [0, 0];
  const cut = () => {
    kept.sort(order);
    kept.length = Math.min(kept.length, most);
  };
  for (let label = 0; label < self.length; label++) {
    const own = self[label] ?? 0;
    if (own < leastSelf || (own === leastSelf && (ofLabel[label] ?? 0) <= leastOfLabel)) continue;
    kept.push(label);
    if (kept.length < 2 * most) continue;
    cut();
    const last = kept.at(-1) ?? 0;
    [leastSelf, leastOfLabel] = [self[last] ?? 0, ofLabel[last] ?? 0];
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
  { caller }: Calls,
  labels: Labels,
  labelled: Int32Array,
  rows: number,
): Omit<Butterfly, 'chosen'> {
  const callers = new Map<number, number>();
  const callees = new Map<number, number>();
  const add = (sums: Map<number, number>, label: number, samples: number) => {
    if (samples > 0) sums.set(label, (sums.get(label) ?? 0) + samples);
  };
  const labelAt = (callsite: number) => {
    const label = labelled[callsite] ?? 0;
    return label < 0 ? ~label : label;
  };
  /** 1 for the outermost calls of the function, and where it directly called itself from there. */
  const isMiddle = new Uint8Array(labelled.length);
  // A callsite comes after its caller.
  for (let at = 0; at < isMiddle.length; at++) {
    const from = caller[at] ?? -1;
    const within = from >= 0 && isMiddle[from] === 1;
    const label = labelled[at] ?? 0;
    const isOutermost = label === middle;
    if (!within && !isOutermost) continue;
    const samples = inclusive[at] ?? 0;
    if (samples === 0) continue;
    if (!isOutermost && label !== ~middle) {
      add(callees, labelAt(at), samples);
      continue;
    }
    if (isOutermost) add(callers, from < 0 ? NOBODY : labelAt(from), samples);
    isMiddle[at] = 1;
    add(callees, NOBODY, own[at] ?? 0);
  }
  const list = (sums: ReadonlyMap<number, number>, nobody: string): CallSamples[] =>
    [...sums]
      .sort(([, a], [, b]) => b - a)
      .slice(0, rows)
      .map(([label, count]) => ({ label: label === NOBODY ? nobody : labels.name(label), samples: count }));
  return {
    callers: list(callers, 'nobody: outermost'),
    caller_count: callers.size,
    callees: list(callees, 'itself'),
    callee_count: callees.size,
  };
}
