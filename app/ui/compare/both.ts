import { computed } from '@preact/signals';
import type { SideName } from '../../../shared/compare/index.ts';
import { textsInA, threadsOfRow } from '../../../shared/compare/index.ts';
import type { TimeRange } from '../../../shared/view/index.ts';
import { meet, mostOfRow, rowOf, type Met, type MetTrace } from '../../../views/compare/index.ts';
import { clampRange } from '../../../views/kit/index.ts';
import type { LoadedTrace } from '../state.ts';
import { comparePlace, setCompare } from './place.ts';
import { comparison, partsOf } from './run.ts';

export const SIDES = ['a', 'b'] as const;

/** A trace of a side that is shown together with one of the other. */
export interface BothTrace extends MetTrace {
  readonly trace: LoadedTrace;
  /** The tracks of the chosen row's threads, by name; empty where it has none here. */
  readonly tracks: string;
}

/** One trace of each side, moved so that their anchors meet. */
export interface Both {
  readonly sides: Readonly<Record<SideName, BothTrace>>;
  readonly met: Met;
  /** How texts of B read in A. */
  readonly inA: (text: string) => string;
}

/** The id of the view that is drawn for each side by itself, over one axis. */
export const TIMELINE = 'timeline';

/** The traces that a view of both shows; null while there is no comparison, or only what changed is shown. */
export const both = computed((): Both | null => {
  const [asked, shown] = [comparePlace.value, comparison.value];
  if (asked?.look == null || shown === null) return null;
  const row = rowOf(shown.of, asked.row);
  const sideOf = (side: SideName): BothTrace | null => {
    const most = mostOfRow(row, side);
    const parts = partsOf(shown.sides[side], asked.ranges[side]);
    // Of several traces that one which has most of the row.
    const number = most !== null && most.trace < parts.length ? most.trace : 0;
    const part = parts[number];
    if (part === undefined) return null;
    const tids = row === null ? [] : threadsOfRow(shown.of.threads, row, side, number);
    const { trace, range: compared } = part;
    const tracks = tids.map((tid) => `t${tid}`).join(' ');
    return { trace, whole: trace.summary.range, compared, place: most, tracks };
  };
  const [a, b] = [sideOf('a'), sideOf('b')];
  if (a === null || b === null) return null;
  const inA = textsInA(asked.ties, shown.of.processes);
  return { sides: { a, b }, met: meet(asked.meeting, { a, b }), inA };
});

/** An axis of time that keys zoom and move. */
export interface TimeAxis {
  readonly range: TimeRange;
  readonly bounds: TimeRange;
  zoomTo(range: TimeRange): void;
  /** Shows what is shown first. */
  reset(): void;
}

/** The axis of the timeline of both, in ns from where they meet; null while another page is shown. */
export const bothAxis = computed((): TimeAxis | null => {
  const [shown, asked] = [both.value, comparePlace.value];
  if (shown === null || asked?.look !== TIMELINE) return null;
  const { bounds, shown: first } = shown.met;
  return {
    range: asked.zoom === null ? first : clampRange(asked.zoom, bounds),
    bounds,
    zoomTo: (range) => setCompare({ zoom: clampRange(range, bounds) }),
    reset: () => setCompare({ zoom: null }),
  };
});
