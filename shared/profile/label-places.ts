import type { Calls, Labels } from '../samples/index.ts';
import type { CallRuns } from './call-runs.ts';

/** Where labels are in the tree of calls: a sum for some labels looks at no other calls. */
export interface LabelPlaces {
  /** The first of `runs` of each label, and at the end how many there are. */
  readonly first: Int32Array;
  /** Runs that have a call of each label: until it is asked for the outermost, one may be there several times. */
  readonly runs: Int32Array;
  /** How many labels have their only call in each run. */
  readonly singles: Uint16Array;
  /** The labels with more calls than one. */
  readonly multiple: Int32Array;
  /** Behind the last place of a label: those from its first on are the runs that no run with it is above, rising. */
  readonly endOfOutermost: (label: number) => number;
}

const kept = new WeakMap<CallRuns, WeakMap<Int32Array, LabelPlaces>>();

/** The places of all labels; found once for a kind of labels. */
export function placeLabels(runs: CallRuns, calls: Calls, labels: Labels): LabelPlaces {
  const known = kept.get(runs) ?? new WeakMap<Int32Array, LabelPlaces>();
  kept.set(runs, known);
  const places =
    known.get(labels.of) ??
    (labels.joins ? placeOutermost(runs, calls, labels) : placeAll(runs, calls, labels));
  known.set(labels.of, places);
  return places;
}

/** Of labels that are many, the places of all calls: which of them are inner is found where it is asked for. */
function placeAll(runs: CallRuns, { frame }: Calls, { of, isFrame, count }: Labels): LabelPlaces {
  const labelOf = isFrame ? frame : labelsOfCalls(frame, of);
  const counted = countLabels(labelOf, labelOf.length, count);
  const placed = new Int32Array(labelOf.length);
  putRuns(labelOf, runs.first, counted, placed);
  const first = counted.subarray(0, count + 1);
  const outermost = new Outermost(runs, first, placed);
  const endOfOutermost = (label: number) => outermost.endOf(label);
  return { first, runs: placed, ...splitSingles(first, placed, runs.count), endOfOutermost };
}

/** Moves the outermost places of labels before their other ones, where they are asked for. */
class Outermost {
  readonly #runs: CallRuns;
  readonly #first: Int32Array;
  readonly #placed: Int32Array;
  /** How many places each label has that are outermost; 0 where it is not known. */
  readonly #counts: Int32Array;
  /** The label of the last place in each run, and one more. */
  readonly #marks: Int32Array;

  constructor(runs: CallRuns, first: Int32Array, placed: Int32Array) {
    this.#runs = runs;
    this.#first = first;
    this.#placed = placed;
    this.#counts = new Int32Array(first.length);
    this.#marks = new Int32Array(runs.count);
    const many = labelsOfMost(first, runs.count);
    const ends = keepOutermostOfAll(placed, first, runs.caller, many);
    many.forEach((label, at) => (this.#counts[label] = (ends[at] ?? 0) - (first[label] ?? 0)));
  }

  endOf(label: number): number {
    const from = this.#first[label] ?? 0;
    const count = this.#counts[label] ?? 0;
    if (count > 0) return from + count;
    const end = keepOutermost(
      this.#placed,
      from,
      this.#first[label + 1] ?? 0,
      this.#runs.caller,
      this.#marks,
      label + 1,
    );
    this.#counts[label] = end - from;
    return end;
  }
}

/** A label that is in so many of all runs is cheaper to find above them with others, in one way through all runs. */
const MOST_SHARE = 1 / 128;

/** The labels with most places, as many as an integer has bits. */
function labelsOfMost(first: Int32Array, runCount: number): readonly number[] {
  const least = runCount * MOST_SHARE;
  const countOf = (label: number) => (first[label + 1] ?? 0) - (first[label] ?? 0);
  const found: number[] = [];
  for (let label = 0; label + 1 < first.length; label++) if (countOf(label) > least) found.push(label);
  return found.sort((a, b) => countOf(b) - countOf(a)).slice(0, 32);
}

/** Does for each of a few labels what {@link keepOutermost} does for one; gives where the places of each end. */
function keepOutermostOfAll(
  placed: Int32Array,
  first: Int32Array,
  caller: Int32Array,
  labels: readonly number[],
): readonly number[] {
  if (labels.length === 0) return [];
  const outermost = new Int32Array(caller.length);
  labels.forEach((label, bit) => {
    setBits(placed, first[label] ?? 0, first[label + 1] ?? 0, outermost, 1 << bit);
  });
  const within = new Int32Array(caller.length);
  // A run comes after its caller.
  for (let run = 0; run < caller.length; run++) {
    const by = caller[run] ?? -1;
    const above = by < 0 ? 0 : (within[by] ?? 0);
    const own = outermost[run] ?? 0;
    within[run] = above | own;
    outermost[run] = own & ~above;
  }
  return labels.map((label, bit) =>
    keepWithBit(placed, first[label] ?? 0, first[label + 1] ?? 0, outermost, 1 << bit),
  );
}

function setBits(placed: Int32Array, from: number, to: number, bits: Int32Array, bit: number): void {
  for (let place = from; place < to; place++) {
    const run = placed[place] ?? 0;
    bits[run] = (bits[run] ?? 0) | bit;
  }
}

function keepWithBit(placed: Int32Array, from: number, to: number, bits: Int32Array, bit: number): number {
  let end = from;
  let before = -1;
  for (let place = from; place < to; place++) {
    const run = placed[place] ?? 0;
    if (run === before || ((bits[run] ?? 0) & bit) === 0) continue;
    before = run;
    placed[end++] = run;
  }
  return end;
}

/** Keeps the runs in a part of a list, rising, that are there for the first time and below no other. */
function keepOutermost(
  placed: Int32Array,
  from: number,
  to: number,
  caller: Int32Array,
  marks: Int32Array,
  mark: number,
): number {
  let end = from;
  const least = placed[from] ?? 0;
  for (let place = from; place < to; place++) {
    const run = placed[place] ?? 0;
    // A run comes after its caller: none before the least is in the list.
    let up = run;
    while (up >= least && marks[up] !== mark) up = caller[up] ?? -1;
    if (up >= least) continue;
    marks[run] = mark;
    placed[end++] = run;
  }
  return end;
}

/** Most labels have one call alone: how many of them have samples is told run by run. */
function splitSingles(
  first: Int32Array,
  placed: Int32Array,
  runCount: number,
): Pick<LabelPlaces, 'singles' | 'multiple'> {
  const singles = new Uint16Array(runCount);
  const multiple = new Int32Array(first.length);
  let found = 0;
  for (let label = 0; label + 1 < first.length; label++) {
    const place = first[label] ?? 0;
    const count = (first[label + 1] ?? 0) - place;
    if (count === 1) {
      const run = placed[place] ?? 0;
      singles[run] = (singles[run] ?? 0) + 1;
    } else if (count > 1) multiple[found++] = label;
  }
  return { singles, multiple: multiple.slice(0, found) };
}

function labelsOfCalls(frame: Int32Array, of: Int32Array): Int32Array {
  const labels = new Int32Array(frame.length);
  for (let at = 0; at < labels.length; at++) labels[at] = of[frame[at] ?? 0] ?? 0;
  return labels;
}

/** How many of the first labels of a list are less than each one, at one beyond it: there its places are put. */
function countLabels(labels: Int32Array, length: number, count: number): Int32Array {
  const first = new Int32Array(count + 2);
  for (let at = 0; at < length; at++) {
    const after = ((labels[at] ?? 0) + 2) | 0;
    first[after] = (first[after] ?? 0) + 1;
  }
  for (let label = 2; label < first.length; label++)
    first[label] = (first[label] ?? 0) + (first[label - 1] ?? 0);
  return first;
}

/** Puts runs at the next places of their labels, which are one list, part by part. */
function putRuns(labels: Int32Array, parts: Int32Array, first: Int32Array, placed: Int32Array): void {
  for (let run = 0; run + 1 < parts.length; run++) {
    const end = parts[run + 1] ?? 0;
    for (let at = parts[run] ?? 0; at < end; at++) {
      const after = ((labels[at] ?? 0) + 1) | 0;
      const place = first[after] ?? 0;
      first[after] = place + 1;
      placed[place] = run;
    }
  }
}

function isAbove(
  label: number,
  run: number,
  { first, caller }: CallRuns,
  frame: Int32Array,
  of: Int32Array,
): boolean {
  for (let up = caller[run] ?? -1; up >= 0; up = caller[up] ?? -1) {
    const end = first[up + 1] ?? 0;
    for (let at = first[up] ?? 0; at < end; at++) if (of[frame[at] ?? 0] === label) return true;
  }
  return false;
}

/** Of labels that are few, the places of outermost calls alone: most calls are below one of their own label. */
function placeOutermost(runs: CallRuns, { frame }: Calls, { of, count }: Labels): LabelPlaces {
  // A byte for each frame: so many more fit the processor's cache.
  const { labels, ends } =
    count <= 32 ? findOutermostOfFew(runs, frame, new Uint8Array(of)) : findOutermost(runs, frame, of);
  const length = ends[runs.count] ?? 0;
  const counted = countLabels(labels, length, count);
  const placed = new Int32Array(length);
  putRuns(labels, ends, counted, placed);
  const first = counted.subarray(0, count + 1);
  const endOfOutermost = (label: number) => first[label + 1] ?? 0;
  return { first, runs: placed, ...splitSingles(first, placed, runs.count), endOfOutermost };
}

/** Labels run by run, and where those of each end: the first is that of the run before. */
interface RunLabels {
  readonly labels: Int32Array;
  readonly ends: Int32Array;
}

/** The labels that no run above has. A bit for each label on the way to the end of a run: where it is not set, none is above. */
function findOutermost(runs: CallRuns, frame: Int32Array, of: Int32Array): RunLabels {
  const { first, caller } = runs;
  const labels = new Int32Array(frame.length);
  const ends = new Int32Array(runs.count + 1);
  const above = new Int32Array(runs.count);
  let found = 0;
  for (let run = 0; run < runs.count; run++) {
    const by = caller[run] ?? -1;
    let met = by < 0 ? 0 : (above[by] ?? 0);
    const from = ends[run] ?? 0;
    const end = first[run + 1] ?? 0;
    let before = -1;
    for (let at = first[run] ?? 0; at < end; at++) {
      const label = of[frame[at] ?? 0] ?? 0;
      if (label === before) continue;
      before = label;
      const bit = 1 << (label & 31);
      const isNew =
        (met & bit) === 0 ||
        // Labels share bits.
        (!labels.subarray(from, found).includes(label) && !isAbove(label, run, runs, frame, of));
      if (isNew) labels[found++] = label;
      met |= bit;
    }
    above[run] = met;
    ends[run + 1] = found;
  }
  return { labels, ends };
}

/** Does what {@link findOutermost} does for labels that have a bit each: no call needs a decision. */
function findOutermostOfFew(
  { count, first, caller }: CallRuns,
  frame: Int32Array,
  of: Uint8Array,
): RunLabels {
  const labels = new Int32Array(frame.length);
  const ends = new Int32Array(count + 1);
  const above = new Int32Array(count);
  let found = 0;
  for (let run = 0; run < count; run++) {
    const by = caller[run] ?? -1;
    const met = by < 0 ? 0 : (above[by] ?? 0);
    const end = first[run + 1] ?? 0;
    let all = met;
    for (let at = first[run] ?? 0; at < end; at++) all |= 1 << (of[frame[at] ?? 0] ?? 0);
    above[run] = all;
    for (let left = all & ~met; left !== 0; left &= left - 1) labels[found++] = 31 - Math.clz32(left & -left);
    ends[run + 1] = found;
  }
  return { labels, ends };
}
