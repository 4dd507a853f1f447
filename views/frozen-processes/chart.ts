import { formatDuration } from '../../shared/model/index.ts';
import { programLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  addPointedBar,
  writeOnBar,
  type LaneChart,
  type LaneSpace,
  type LegendEntry,
  type Palette,
  type Plot,
} from '../kit/index.ts';
import type { Freeze, FrozenLane, FrozenProcessesModel } from './model.ts';

const BAR_PX = 20;
/** The strip behind a thaw, halfway up the bar. */
const STRIP_PX = 6;

/** The freeze at a time in a lane; null if there is none. */
export function freezeAt(lane: FrozenLane | undefined, ts: number): Freeze | null {
  return lane?.freezes.find((freeze) => freeze.ts <= ts && ts <= lastTs(freeze)) ?? null;
}

function lastTs({ ts, dur, first_run }: Freeze): number {
  return first_run?.ts ?? ts + dur;
}

/** What the marks mean. */
function freezeLegend({ series }: Palette): readonly LegendEntry[] {
  return [
    {
      label: 'frozen; pointed: since before the trace, or not thawed in it',
      color: series[1],
    },
    { label: 'a thread was readied while frozen (first, tick below)', color: series[0] },
    { label: 'thawed, but no thread has run yet', color: series[2] },
  ];
}

/** A lane for each process: its freezes as bars, pointed where they are open, and what came of them. */
export function freezeChart({ lanes, origin_ns }: FrozenProcessesModel): LaneChart {
  return {
    origin_ns,
    lane_px: 30,
    gap_px: 6,
    names: lanes.map(({ process, services, pid }) => [
      programLabel({ process, service: services }),
      `pid ${pid}`,
    ]),
    legend: freezeLegend,
    draw: (plot, space) => drawFreezes(plot, space, lanes),
  };
}

function drawFreezes(plot: Plot, space: LaneSpace, lanes: readonly FrozenLane[]): void {
  const { range, x } = space;
  const [readied, frozen, thawed] = plot.palette.series;
  const each = (draw: (freeze: Freeze, top: number) => void) =>
    lanes.forEach(({ freezes }, lane) => {
      for (const freeze of freezes) {
        if (freeze.ts < range.end && lastTs(freeze) > range.start) draw(freeze, space.top(lane));
      }
    });
  plot.fill(thawed, (pen) =>
    each(({ ts, dur, first_run }, top) => {
      if (first_run === null) return;
      const left = x(ts + dur);
      pen.rect(left, top + (BAR_PX - STRIP_PX) / 2, Math.max(1, x(first_run.ts) - left), STRIP_PX);
    }),
  );
  plot.fill(frozen, (pen) =>
    each((freeze, top) => {
      const ends = { open_start: freeze.start !== 'recorded', open_end: freeze.end !== 'thawed' };
      addPointedBar(pen, { ...freeze, ...ends }, space, top, BAR_PX);
    }),
  );
  plot.fill(readied, (pen) =>
    each(({ first_readied }, top) => {
      if (first_readied === null || !isWithin(first_readied.ts, range)) return;
      const at = x(first_readied.ts);
      pen.moveTo(at, top + BAR_PX - 2);
      pen.lineTo(at + 4, top + BAR_PX + 7);
      pen.lineTo(at - 4, top + BAR_PX + 7);
      pen.closePath();
    }),
  );
  each((freeze, top) => writeOnBar(plot, [lengthWords(freeze)], freeze, space, top + BAR_PX / 2));
}

function isWithin(ts: number, { start, end }: TimeRange): boolean {
  return start <= ts && ts <= end;
}

/** How long a freeze lasts. */
function lengthWords({ dur, start, end }: Freeze): string {
  const open = start === 'before_trace' || (start === 'recorded' && end === 'trace_end');
  return `frozen ${open ? 'at least ' : ''}${formatDuration(dur)}`;
}
