import type { Calls, Labels } from '../samples/index.ts';
import type { CallRuns } from './call-runs.ts';
import { callsAround, type Butterfly, type FunctionSamples } from './calls-around.ts';
import type { CallLabels, RunSums } from './sum-calls.ts';

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
  called: CallLabels,
  labelCount: number,
  rows: number,
): LabelSums {
  const { self, having } = sumSelf(sums, runs, called, labelCount);
  const least = leastOfFirst(self, having, rows);
  const { ofLabel, count } = sumInclusive(sums, runs, called, self, { least, having });
  const largest = largestOf(self, ofLabel, least === 0 ? self.keys() : having, least, rows);
  return { self, ofLabel, largest, count };
}

/** The samples of each function, and of what one is called by and calls. `called` is what `labelCalls` gives. */
export function tellFunctions(
  { self, ofLabel, largest, count }: LabelSums,
  sums: RunSums,
  runs: CallRuns,
  calls: Calls,
  labels: Labels,
  called: CallLabels,
  { chosen, rows }: FunctionsWanted,
): FunctionSums {
  const toRow = (label: number, samples: number): FunctionSamples => ({
    label: labels.name(label),
    module: labels.module(label),
    self: self[label] ?? 0,
    samples,
  });
  const functions = largest.map((label) => toRow(label, ofLabel[label] ?? 0));
  const around = (middle: number) => callsAround(middle, sums, runs, calls, labels, called, rows);
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
  runs: CallRuns,
  { of }: CallLabels,
  labelCount: number,
): { readonly self: Int32Array; readonly having: Int32Array } {
  const self = new Int32Array(labelCount);
  const having = new Int32Array(Math.min(runs.count, labelCount));
  let count = 0;
  for (let run = 0; run < runs.count; run++) {
    const samples = own[run] ?? 0;
    if (samples === 0) continue;
    const label = of[(runs.first[run + 1] ?? 0) - 1] ?? 0;
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

/** Bits of what is known of a label: that a call with samples has it, and that its own samples are wanted. */
const SEEN = 1;
const WANTED = 2;

/** How many labels have samples; and the samples of those with at least `least` of their own, which are among `having`. */
function sumInclusive(
  { inclusive }: RunSums,
  { first, caller, count: runCount }: CallRuns,
  { of, isInner }: CallLabels,
  self: Int32Array,
  wanted: { readonly least: number; readonly having: Int32Array },
): { readonly ofLabel: Int32Array; readonly count: number } {
  const ofLabel = new Int32Array(self.length);
  // A byte a label, and not its sum, is what most calls look at: so many fit the processor's cache.
  const states = new Uint8Array(self.length);
  if (wanted.least === 0) states.fill(WANTED);
  else for (const label of wanted.having) if ((self[label] ?? 0) >= wanted.least) states[label] = WANTED;
  let count = 0;
  // A bit for each wanted label on the way to the end of a run, which labels may share: where it is not set, none is above.
  const above = new Int32Array(runCount);
  for (let run = 0; run < runCount; run++) {
    const samples = inclusive[run] ?? 0;
    if (samples === 0) continue;
    const from = caller[run] ?? -1;
    let met = from < 0 ? 0 : (above[from] ?? 0);
    const end = first[run + 1] ?? 0;
    let before = -1;
    for (let at = first[run] ?? 0; at < end; at++) {
      const label = of[at] ?? 0;
      // A call of what it is in, as most are where modules are told apart: counted with that.
      if (label === before) continue;
      before = label;
      const state = states[label] ?? 0;
      // Written whether it is new or not: that costs less than asking.
      states[label] = state | SEEN;
      count += ~state & SEEN;
      if (state < WANTED) continue;
      const bit = 1 << (Math.imul(label, 0x9e3779b1) >>> 27);
      if ((met & bit) === 0 || !isInner(at)) ofLabel[label] = (ofLabel[label] ?? 0) + samples;
      met |= bit;
    }
    above[run] = met;
  }
  return { ofLabel, count };
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
