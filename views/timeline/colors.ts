import * as d3 from 'd3';
import { BLOCKED_KINDS, type BlockedKind } from '../../shared/timeline/index.ts';
import { seriesColor, whyColor, type Palette } from '../kit/index.ts';
import { FIRST_BLOCKED, THREAD_CLASSES, type TrackClass } from './classes.ts';

/** Blocked time is pale. Each kind has a hue, and the share of the hue that is mixed into the background. */
const BLOCKED: Readonly<Record<BlockedKind, readonly [(palette: Palette) => string, number]>> = {
  request: [({ muted }) => muted, 0.26],
  queue: [({ muted }) => muted, 0.17],
  delay: [({ muted }) => muted, 0.09],
  lock: [({ series: [, , , plum] }) => plum, 0.32],
  memory: [({ series: [, blue] }) => blue, 0.32],
  suspended: [({ accent }) => accent, 0.2],
  other: [({ muted }) => muted, 0.4],
};

/** The colour of a class of a track; null for what is hatched. */
export function colorOf(palette: Palette, of: TrackClass): string | null {
  const mixed = (hue: string, part: number) => d3.interpolateRgb(palette.background, hue)(part);
  switch (of.state) {
    case 'nothing':
      return palette.background;
    case 'idle':
      return mixed(palette.muted, 0.12);
    case 'lost':
      return null;
    case 'running':
      if (of.series !== undefined) return seriesColor(palette, of.series);
      return of === THREAD_CLASSES[1] ? palette.series[2] : palette.series[4];
    case 'machine':
      return seriesColor(palette, of.series ?? 0);
    case 'ready':
      // Its hue elsewhere is that of running threads here.
      if (of.why === 'idle_wake_up') return mixed(palette.series[2], 0.5);
      return of.why === undefined || of.why === 'not_recorded'
        ? mixed(palette.series[0], 0.62)
        : whyColor(palette, of.why);
    case 'blocked': {
      const kind = BLOCKED_KINDS[THREAD_CLASSES.indexOf(of) - FIRST_BLOCKED] ?? 'other';
      const [hue, part] = BLOCKED[kind];
      return mixed(hue(palette), part);
    }
  }
}
