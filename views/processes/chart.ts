import * as d3 from 'd3';
import { formatCount } from '../../shared/model/index.ts';
import {
  addPointedBar,
  drawTimeAxis,
  drawValueAxis,
  fittedLabel,
  LANE_NAME_CHARACTERS,
  timeScale,
  type LaneChart,
  type LaneSpace,
  type LegendEntry,
  type Margins,
  type Palette,
  type Plot,
  type TimeChart,
} from '../kit/index.ts';
import { lifeLabel, type ProcessesModel, type ProcessLife } from './model.ts';

export const RATES_MARGINS: Margins = { top: 10, right: 16, bottom: 24, left: 56 };
export const EXITING_MARGINS: Margins = { ...RATES_MARGINS, top: 6 };
const BAR_PX = 12;

/** What the area means. */
export function exitingLegend({ series }: Palette): readonly LegendEntry[] {
  return [{ label: 'exits under way at once', color: series[3] }];
}

/** How many exits were under way. */
export function exitingChart({ steps, origin_ns }: ProcessesModel): TimeChart {
  const most = d3.max(steps, ({ exiting }) => exiting) ?? 0;
  return (plot, range) => {
    const y = d3.scaleLinear([0, Math.max(1, most)], [plot.height, 0]);
    drawTimeAxis(plot, range, origin_ns);
    drawValueAxis(plot, y, 'left', (value) => formatCount(Math.round(value)));
    const x = timeScale(range, plot.width).clamp(true);
    plot.fill(plot.palette.series[3], (pen) => {
      for (const { ts, dur, exiting } of steps) {
        if (exiting > 0)
          pen.rect(x(ts), y(exiting), Math.max(1, x(ts + dur) - x(ts)), plot.height - y(exiting));
      }
    });
  };
}

/** What the bars of lifetimes mean. */
function lifeLegend({ series }: Palette): readonly LegendEntry[] {
  return [
    { label: 'lived; pointed: created before, or not gone by the end of, the trace', color: series[1] },
    { label: 'exiting', color: series[0] },
    { label: 'blocked as it exits', color: series[3] },
  ];
}

/** A lane for each process: its life, its exit, and what of that it was blocked. */
export function lifeChart(lives: readonly ProcessLife[], { origin_ns, end_ns }: ProcessesModel): LaneChart {
  const names = lives.map((life) => [fittedLabel(lifeLabel(life), LANE_NAME_CHARACTERS)] as const);
  return {
    origin_ns,
    lane_px: BAR_PX,
    gap_px: 4,
    names,
    legend: lifeLegend,
    draw: (plot, space) => drawLives(plot, space, lives, { origin_ns, end_ns }),
  };
}

function drawLives(
  plot: Plot,
  space: LaneSpace,
  lives: readonly ProcessLife[],
  { origin_ns, end_ns }: Pick<ProcessesModel, 'origin_ns' | 'end_ns'>,
): void {
  const { x, lanes } = space;
  const [exiting, lived, , blocked] = plot.palette.series;
  const seen = lives.slice(lanes.first, lanes.end);
  const top = (at: number) => space.top(lanes.first + at);
  plot.fill(lived, (pen) =>
    seen.forEach(({ create_ts, exit_ts, exit }, at) => {
      const ts = create_ts ?? origin_ns;
      const dur = (exit?.ts ?? exit_ts ?? end_ns) - ts;
      const ends = { open_start: create_ts === null, open_end: exit_ts === null };
      addPointedBar(pen, { ts, dur, ...ends }, space, top(at), BAR_PX);
    }),
  );
  plot.fill(exiting, (pen) =>
    seen.forEach(({ exit }, at) => {
      if (exit !== null)
        pen.rect(x(exit.ts), top(at), Math.max(1, x(exit.ts + exit.dur) - x(exit.ts)), BAR_PX);
    }),
  );
  plot.fill(blocked, (pen) =>
    seen.forEach(({ exit }, at) => {
      const wait = exit?.wait ?? null;
      if (wait !== null) pen.rect(x(wait.ts), top(at) + 3, x(wait.ts + wait.dur) - x(wait.ts), BAR_PX - 6);
    }),
  );
}
