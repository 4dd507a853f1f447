import { MODES, type Calls, type Mode } from '../samples/index.ts';
import type { Stretch } from '../tables/index.ts';
import type { ThreadName } from '../threads/index.ts';
import type { Profile } from './call-runs.ts';
import { Grouper, NO_GROUP, type SampleFilters } from './grouper.ts';

/** Samples by what the CPU was at. */
export type ModeCounts = Readonly<Record<Mode, number>>;

/** The samples of one group. */
export interface SampleGroup {
  readonly label: string;
  readonly samples: number;
  readonly modes: ModeCounts;
}

/** The samples of one group, by the runs of calls that they end in, rising. */
export interface PickedGroup extends SampleGroup {
  readonly runs: Int32Array;
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
  /** The group of each sample of the profile, as a number; {@link NO_GROUP} for what is held back. */
  readonly groupOf: Int32Array;
}

/** The group of what was not looked at yet. */
const UNKNOWN = -2;

/** Filters the samples of a range and groups them. */
export function pickSamples(
  profile: Profile,
  calls: Calls,
  threads: ReadonlyMap<number, ThreadName>,
  params: SampleFilters,
  range: Stretch,
): Picked {
  const grouper = new Grouper(calls, threads, params);
  const { groupOf, inRange } = findGroups(profile, calls, grouper, range);
  const { kinds, kind, run } = profile.samples;
  const modeOf = Int32Array.from(kinds, ({ mode }) => MODES.indexOf(mode));
  const ofKind = new Int32Array(kinds.length);
  const ofMode = new Int32Array(grouper.labels.length * MODES.length);
  for (let row = 0; row < groupOf.length; row++) {
    const group = groupOf[row] ?? NO_GROUP;
    if (group === NO_GROUP) continue;
    const id = kind[row] ?? 0;
    ofKind[id] = (ofKind[id] ?? 0) + 1;
    const at = group * MODES.length + (modeOf[id] ?? 0);
    ofMode[at] = (ofMode[at] ?? 0) + 1;
  }
  const groups = grouper.labels.map((label, group) => {
    const modes = countsAt(ofMode, group);
    const count = total(modes);
    return { label, samples: count, modes, runs: new Int32Array(count) };
  });
  fillRuns(
    groups.map(({ runs }) => runs),
    groupOf,
    run,
  );
  const picked = groups.filter((group) => group.samples > 0).sort((a, b) => b.samples - a.samples);
  const modes = { user: 0, kernel: 0, dpc: 0, isr: 0 };
  for (const group of picked) for (const mode of MODES) modes[mode] += group.modes[mode];
  return {
    samples: total(modes),
    all_samples: inRange,
    modes,
    weight_ns: kinds.reduce((sum, { weight_ns }, id) => sum + weight_ns * (ofKind[id] ?? 0), 0),
    groups: picked,
    groupOf,
  };
}

/** The group of each sample, looked up once for each kind, and where images matter for each image; and how many are in range. */
function findGroups(
  { runs, samples: { ts, run, kind, kinds, count } }: Profile,
  calls: Calls,
  grouper: Grouper,
  range: Stretch,
): { readonly groupOf: Int32Array; readonly inRange: number } {
  const ofKind = new Int32Array(kinds.length).fill(UNKNOWN);
  const ofImage = new Int32Array(calls.images.length).fill(UNKNOWN);
  const { needsImages } = grouper;
  const [start, end] = [Math.floor(range.start), Math.ceil(range.end)];
  const groupOf = new Int32Array(count).fill(NO_GROUP);
  let inRange = 0;
  for (let row = 0; row < count; row++) {
    const at = ts[row] ?? 0;
    if (at < start || at >= end) continue;
    inRange++;
    const id = kind[row] ?? 0;
    let group = ofKind[id] ?? NO_GROUP;
    if (group === UNKNOWN) {
      const known = kinds[id];
      group = ofKind[id] = known === undefined ? NO_GROUP : grouper.ofKind(known);
    }
    if (group !== NO_GROUP && needsImages) {
      const image = calls.image[runs.frame[run[row] ?? 0] ?? 0] ?? 0;
      let of = ofImage[image] ?? NO_GROUP;
      if (of === UNKNOWN) of = ofImage[image] = grouper.ofImage(image);
      // One of the two is the group, the other 0.
      group = of === NO_GROUP ? NO_GROUP : Math.max(group, of);
    }
    groupOf[row] = group;
  }
  return { groupOf, inRange };
}

function countsAt(ofMode: Int32Array, group: number): ModeCounts {
  const at = (mode: number) => ofMode[group * MODES.length + mode] ?? 0;
  return { user: at(0), kernel: at(1), dpc: at(2), isr: at(3) };
}

function total(modes: ModeCounts): number {
  return MODES.reduce((sum, mode) => sum + modes[mode], 0);
}

function fillRuns(runsOf: readonly Int32Array[], groupOf: Int32Array, run: Int32Array): void {
  const filled = new Int32Array(runsOf.length);
  for (let row = 0; row < groupOf.length; row++) {
    const group = groupOf[row] ?? NO_GROUP;
    const runs = runsOf[group];
    if (runs === undefined) continue;
    const at = filled[group] ?? 0;
    runs[at] = run[row] ?? 0;
    filled[group] = at + 1;
  }
}
