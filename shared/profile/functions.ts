import type { Calls, Labels } from '../samples/index.ts';
import type { CallRuns } from './call-runs.ts';
import { callsAround, type Butterfly, type FunctionSamples } from './calls-around.ts';
import type { LabelPlaces } from './label-places.ts';
import type { RunSums } from './sum-calls.ts';

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

/** Samples by label. */
export interface LabelSums {
  /** In each label itself. */
  readonly self: Int32Array;
  /** Of the largest ones, in them or in what they called: a stack with one twice counts once. */
  readonly ofLabel: Int32Array;
  /** Most samples of their own first. */
  readonly largest: readonly number[];
  /** How many labels have samples, in themselves or in what they called. */
  readonly count: number;
}

/** The samples of the `rows` labels with most of their own. */
export function sumLabels(
  sums: RunSums,
  runs: CallRuns,
  labels: Labels,
  places: LabelPlaces,
  rows: number,
): LabelSums {
  const { self, having } = sumSelf(sums, runs, labels);
  const least = leastOfFirst(self, having, rows);
  const ofLabel = sumInclusive(sums, places, self, least === 0 ? self.keys() : having, least);
  const largest = largestOf(self, ofLabel, least === 0 ? self.keys() : having, least, rows);
  return { self, ofLabel, largest, count: countLabels(sums.inclusive, places) };
}

/** The samples of each function, and of what one is called by and calls. */
export function tellFunctions(
  { self, ofLabel, largest, count }: LabelSums,
  sums: RunSums,
  runs: CallRuns,
  calls: Calls,
  labels: Labels,
  places: LabelPlaces,
  { chosen, rows }: FunctionsWanted,
): FunctionSums {
  const toRow = (label: number, samples: number): FunctionSamples => ({
    label: labels.name(label),
    module: labels.module(label),
    self: self[label] ?? 0,
    samples,
  });
  const functions = largest.map((label) => toRow(label, ofLabel[label] ?? 0));
  const around = (middle: number) => callsAround(middle, sums, runs, calls, labels, places, rows);
  const named =
    chosen === null
      ? largest.slice(0, 1)
      : [...labels.named(chosen)].sort((a, b) => (self[b] ?? 0) - (self[a] ?? 0) || a - b);
  for (const middle of named) {
    const { samples, ...rest } = around(middle);
    if (samples === 0) continue;
    return { functions, function_count: count, butterfly: { chosen: toRow(middle, samples), ...rest } };
  }
  return { functions, function_count: count, butterfly: null };
}

/** The samples in each label itself, and which labels have any. */
function sumSelf(
  { own }: RunSums,
  { frame, count: runCount }: CallRuns,
  { of, isFrame, count: labelCount }: Labels,
): { readonly self: Int32Array; readonly having: Int32Array } {
  const self = new Int32Array(labelCount);
  const having = new Int32Array(Math.min(runCount, labelCount));
  let count = 0;
  for (let run = 0; run < runCount; run++) {
    const samples = own[run] ?? 0;
    if (samples === 0) continue;
    const last = frame[run] ?? 0;
    const label = isFrame ? last : (of[last] ?? 0);
    const before = self[label] ?? 0;
    if (before === 0) having[count++] = label;
    self[label] = before + samples;
  }
  return { self, having: having.subarray(0, count) };
}

/** Beyond this, labels are told apart no further when the first ones are looked for. */
const SELF_MAX = 2 ** 16 - 1;

/** How many samples of its own each of the first `rows` labels has at least; 0 where fewer have any. */
function leastOfFirst(self: Int32Array, having: Int32Array, rows: number): number {
  const counts = new Int32Array(SELF_MAX + 1);
  for (const label of having) {
    const samples = Math.min(self[label] ?? 0, SELF_MAX);
    counts[samples] = (counts[samples] ?? 0) + 1;
  }
  let count = 0;
  for (let samples = SELF_MAX; samples > 0; samples--) {
    count += counts[samples] ?? 0;
    if (count >= rows) return samples;
  }
  return 0;
}

/** So many labels more than are wanted are kept until the least are thrown away. */
const CUT_FROM = 10_000;

/** The samples of those of `labels` with at least `least` of their own. */
function sumInclusive(
  { inclusive }: RunSums,
  places: LabelPlaces,
  self: Int32Array,
  labels: Iterable<number>,
  least: number,
): Int32Array {
  const ofLabel = new Int32Array(self.length);
  for (const label of labels)
    if ((self[label] ?? 0) >= least) ofLabel[label] = sumPlaces(label, inclusive, places);
  return ofLabel;
}

function sumPlaces(
  label: number,
  inclusive: Int32Array,
  { first, runs, endOfOutermost }: LabelPlaces,
): number {
  const from = first[label] ?? 0;
  if (from === first[label + 1]) return 0;
  const end = endOfOutermost(label);
  let sum = 0;
  for (let place = from; place < end; place++) sum += inclusive[runs[place] ?? 0] ?? 0;
  return sum;
}

/** How many labels have samples. */
function countLabels(inclusive: Int32Array, { first, runs, singles, multiple }: LabelPlaces): number {
  let count = 0;
  for (let run = 0; run < singles.length; run++) if ((inclusive[run] ?? 0) > 0) count += singles[run] ?? 0;
  for (let at = 0; at < multiple.length; at++) {
    const label = multiple[at] ?? 0;
    const end = first[label + 1] ?? 0;
    let place = first[label] ?? 0;
    while (place < end && inclusive[runs[place] ?? 0] === 0) place++;
    if (place < end) count++;
  }
  return count;
}

/** Of `labels`, the `most` with most samples of their own, which is `least` or more, then with most at all, the greatest first. */
function largestOf(
  self: Int32Array,
  ofLabel: Int32Array,
  labels: Iterable<number>,
  least: number,
  most: number,
): readonly number[] {
  let kept: number[] = [];
  for (const label of labels) {
    const own = self[label] ?? 0;
    if (own < least || (ofLabel[label] ?? 0) === 0) continue;
    kept.push(label);
    if (kept.length >= 2 * most + CUT_FROM) kept = inOrder(self, ofLabel, kept).slice(0, most);
  }
  return inOrder(self, ofLabel, kept).slice(0, most);
}

function inOrder(self: Int32Array, ofLabel: Int32Array, labels: readonly number[]): number[] {
  return [...labels].sort(
    (a, b) => (self[b] ?? 0) - (self[a] ?? 0) || (ofLabel[b] ?? 0) - (ofLabel[a] ?? 0) || a - b,
  );
}
