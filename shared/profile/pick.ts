import { bisectLeft } from 'd3';
import { MODES, type Calls, type Mode } from '../samples/index.ts';
import type { Stretch } from '../tables/index.ts';
import type { ThreadName } from '../threads/index.ts';
import type { KindSamples, Profile } from './call-runs.ts';
import { Grouper, NO_GROUP, type SampleFilters } from './grouper.ts';

/** Samples by what the CPU was at. */
export type ModeCounts = Readonly<Record<Mode, number>>;

/** The samples of one group. */
export interface SampleGroup {
  readonly label: string;
  readonly samples: number;
  readonly modes: ModeCounts;
}

/** Samples of one kind that the filters let through. */
export interface Piece {
  readonly kind: number;
  /** The first sample of its kind in the range, whatever its image. */
  readonly from: number;
  /** Behind the last one. */
  readonly to: number;
  /** The run that each of the samples ends in. */
  readonly runs: Int32Array;
}

/** The samples of one group, in pieces. */
export interface PickedGroup extends SampleGroup {
  readonly pieces: readonly Piece[];
}

/** The samples that the filters let through. */
export interface Picked {
  readonly samples: number;
  /** Samples in the range, whatever the filters. */
  readonly all_samples: number;
  readonly modes: ModeCounts;
  /** CPU time that they stand for. */
  readonly weight_ns: number;
  /** Most samples first. */
  readonly groups: readonly PickedGroup[];
  /** Those of all groups. */
  readonly pieces: readonly Piece[];
}

/** Filters the samples of a range and groups them. */
export function pickSamples(
  profile: Profile,
  calls: Calls,
  threads: ReadonlyMap<number, ThreadName>,
  params: SampleFilters,
  range: Stretch,
): Picked {
  const { samples } = profile;
  const grouper = new Grouper(calls, threads, params);
  const { piecesOf, inRange } = findPieces(profile, calls, grouper, range);
  const groups = piecesOf.map((pieces, group): PickedGroup => {
    const modes = countModes(pieces, samples);
    return { label: grouper.labels[group] ?? '', samples: total(modes), modes, pieces };
  });
  const firstOf = firstSamples(samples, params.by === 'module');
  const picked = groups
    .filter((group) => group.samples > 0)
    .sort((a, b) => b.samples - a.samples || compareFirst(firstOf(a), firstOf(b)));
  const modes = { user: 0, kernel: 0, dpc: 0, isr: 0 };
  for (const group of picked) for (const mode of MODES) modes[mode] += group.modes[mode];
  const pieces = picked.flatMap((group) => group.pieces);
  const weightOf = ({ kind, runs }: Piece) => (samples.kinds[kind]?.weight_ns ?? 0) * runs.length;
  return {
    samples: total(modes),
    all_samples: inRange,
    modes,
    weight_ns: pieces.reduce((sum, piece) => sum + weightOf(piece), 0),
    groups: picked,
    pieces,
  };
}

/** The pieces of each group, and how many samples are in range. */
function findPieces(
  profile: Profile,
  calls: Calls,
  grouper: Grouper,
  range: Stretch,
): { readonly piecesOf: readonly (readonly Piece[])[]; readonly inRange: number } {
  const { ts, run, kinds, first } = profile.samples;
  const [start, end] = [Math.floor(range.start), Math.ceil(range.end)];
  const piecesOf: Piece[][] = [];
  const add = (group: number, piece: Piece) => (piecesOf[group] ??= []).push(piece);
  const byImage = grouper.needsImages ? new ByImage(profile, calls, grouper) : null;
  let inRange = 0;
  kinds.forEach((known, kind) => {
    const [least, most] = [first[kind] ?? 0, first[kind + 1] ?? 0];
    const from = bisectLeft(ts, start, least, most);
    const to = bisectLeft(ts, end, from, most);
    if (from === to) return;
    inRange += to - from;
    const group = grouper.ofKind(known);
    if (group === NO_GROUP) return;
    if (byImage === null) add(group, { kind, from, to, runs: run.subarray(from, to) });
    else {
      // One of the two is the group, the other 0.
      for (const { ofImage, runs } of byImage.split(from, to))
        add(Math.max(group, ofImage), { kind, from, to, runs });
    }
  });
  // A group whose samples all are of other images has none.
  return { piecesOf: grouper.labels.map((_, group) => piecesOf[group] ?? []), inRange };
}

/** Splits samples by the image of their innermost frame. */
class ByImage {
  readonly #run: Int32Array;
  readonly #imageOf: (run: number) => number;
  readonly #groupOf: (image: number) => number;
  readonly #counts: Int32Array;

  constructor({ runs: { frame }, samples: { run } }: Profile, { image, images }: Calls, grouper: Grouper) {
    const known = new Map<number, number>();
    this.#run = run;
    this.#imageOf = (at) => image[frame[at] ?? 0] ?? 0;
    this.#groupOf = (of) => {
      const group = known.get(of) ?? grouper.ofImage(of);
      known.set(of, group);
      return group;
    };
    this.#counts = new Int32Array(images.length);
  }

  /** The runs of the samples of each image that is let through, in the order of time. */
  split(from: number, to: number): readonly { readonly ofImage: number; readonly runs: Int32Array }[] {
    const [run, next, imageOf] = [this.#run, this.#counts.fill(0), this.#imageOf];
    for (let row = from; row < to; row++) {
      const image = imageOf(run[row] ?? 0);
      next[image] = (next[image] ?? 0) + 1;
    }
    const sorted = new Int32Array(to - from);
    const found: { readonly ofImage: number; readonly runs: Int32Array }[] = [];
    let begin = 0;
    for (let image = 0; image < next.length; image++) {
      const count = next[image] ?? 0;
      if (count === 0) continue;
      const ofImage = this.#groupOf(image);
      if (ofImage !== NO_GROUP) found.push({ ofImage, runs: sorted.subarray(begin, begin + count) });
      next[image] = begin;
      begin += count;
    }
    for (let row = from; row < to; row++) {
      const of = run[row] ?? 0;
      const image = imageOf(of);
      const at = next[image] ?? 0;
      next[image] = at + 1;
      sorted[at] = of;
    }
    return found;
  }
}

/** Where a group begins in the order of calls, and of samples in the same one. */
interface FirstSample {
  readonly run: number;
  readonly ts: number;
}

/** Groups that have as many samples are in the order of their calls. A filter by module does not change that order. */
function firstSamples({ ts, run }: KindSamples, areOfImages: boolean): (group: PickedGroup) => FirstSample {
  const known = new Map<PickedGroup, FirstSample>();
  const find = ({ pieces }: PickedGroup): FirstSample => {
    let found: FirstSample = { run: Infinity, ts: Infinity };
    for (const { from, to, runs } of pieces) {
      const least = leastOf(areOfImages ? runs : run.subarray(from, to));
      const first = { run: least, ts: ts[run.indexOf(least, from)] ?? Infinity };
      if (compareFirst(first, found) < 0) found = first;
    }
    return found;
  };
  return (group) => {
    const first = known.get(group) ?? find(group);
    known.set(group, first);
    return first;
  };
}

function compareFirst(a: FirstSample, b: FirstSample): number {
  return a.run - b.run || a.ts - b.ts;
}

function leastOf(runs: Int32Array): number {
  let least = Infinity;
  for (const run of runs) if (run < least) least = run;
  return least;
}

function countModes(pieces: readonly Piece[], { kinds }: KindSamples): ModeCounts {
  const modes = { user: 0, kernel: 0, dpc: 0, isr: 0 };
  for (const { kind, runs } of pieces) modes[kinds[kind]?.mode ?? 'user'] += runs.length;
  return modes;
}

function total(modes: ModeCounts): number {
  return MODES.reduce((sum, mode) => sum + modes[mode], 0);
}
