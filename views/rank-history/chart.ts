import { interpolateRgb } from 'd3';
import { formatDuration, formatTime } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  drawShade,
  drawTimeAxis,
  timeScale,
  type Chart,
  type LegendEntry,
  type Margins,
  type Palette,
  type Plot,
} from '../kit/index.ts';
import type { RankHistoryModel, RankLane } from './model.ts';

export const MARGINS: Margins = { top: 12, right: 16, bottom: 24, left: 190 };

const LANE_PX = 34;
const GAP_PX = 8;
/** The strip below a lane's ranks, in which ready waits are drawn. */
const WAIT_PX = 5;
const LOWEST_STEP_PX = 4;
/** A span at least so wide carries its rank as a number. */
const NUMBER_PX = 14;
const LABEL_CHARACTERS = 28;

/** The height of the chart with its margins, in px. */
export function lanesHeight({ lanes }: RankHistoryModel): number {
  return MARGINS.top + lanes.length * (LANE_PX + GAP_PX) + MARGINS.bottom;
}

/** The lane at a height within the plot; null between lanes. */
export function laneAt({ lanes }: RankHistoryModel, y: number): RankLane | null {
  const lane = Math.floor(y / (LANE_PX + GAP_PX));
  return y - lane * (LANE_PX + GAP_PX) <= LANE_PX ? (lanes[lane] ?? null) : null;
}

function rankColor(palette: Palette, rank: number, highest: number): string {
  const [ranked, , , , grey] = palette.series;
  return rank === 0 ? grey : interpolateRgb(palette.background, ranked)(0.4 + (0.6 * rank) / highest);
}

/** What the marks mean. */
export function rankLegend(palette: Palette, { lanes }: RankHistoryModel): readonly LegendEntry[] {
  const highest = Math.max(1, ...lanes.map(({ highest_rank }) => highest_rank));
  const ranks = highest === 1 ? 'rank 1' : `rank 1 to ${highest}: higher and stronger is worse`;
  return [
    { label: 'rank 0', color: palette.series[4], mark: 'fill' },
    { label: ranks, color: palette.series[0], mark: 'fill' },
    { label: 'ready at a rank above 0, but did not run', color: palette.series[1], mark: 'fill' },
  ];
}

/** A lane for each thread: its rank over time as steps, and below them its ready waits. */
export function rankChart(
  model: RankHistoryModel,
  range: () => TimeRange,
  chosen: TimeRange | null,
  dragged: () => TimeRange | null,
): Chart {
  const highest = Math.max(1, ...model.lanes.map(({ highest_rank }) => highest_rank));
  return (plot) => {
    drawTimeAxis(plot, range(), model.origin_ns);
    const x = timeScale(range(), plot.width).clamp(true);
    const top = (lane: number) => lane * (LANE_PX + GAP_PX);
    const height = (rank: number) =>
      LOWEST_STEP_PX + ((LANE_PX - WAIT_PX - 2 - LOWEST_STEP_PX) * rank) / highest;
    const floor = LANE_PX - WAIT_PX - 2;
    for (let rank = 0; rank <= highest; rank++) {
      plot.fill(rankColor(plot.palette, rank, highest), (pen) =>
        model.lanes.forEach(({ spans }, lane) => {
          for (const span of spans) {
            if (span.rank !== rank) continue;
            const left = x(span.ts);
            const width = Math.max(1, x(span.ts + span.dur) - left);
            pen.rect(left, top(lane) + floor - height(rank), width, height(rank));
          }
        }),
      );
    }
    plot.fill(plot.palette.series[1], (pen) =>
      model.lanes.forEach(({ waits }, lane) => {
        for (const { ts, dur } of waits) {
          pen.rect(x(ts), top(lane) + LANE_PX - WAIT_PX, Math.max(1, x(ts + dur) - x(ts)), WAIT_PX);
        }
      }),
    );
    model.lanes.forEach((lane, index) => {
      writeName(plot, lane, top(index));
      writeRanks(plot, lane, x, (rank) => top(index) + floor - height(rank));
    });
    for (const span of [chosen, dragged()]) if (span !== null) drawShade(plot, range(), span);
  };
}

function writeName(plot: Plot, { process, tid, thread }: RankLane, top: number): void {
  const lines = [process ?? 'unknown process', `tid ${tid}${thread === null ? '' : ` ${thread}`}`];
  lines.forEach((line, index) => {
    const cut = line.length > LABEL_CHARACTERS ? `${line.slice(0, LABEL_CHARACTERS - 1)}…` : line;
    plot.svg
      .append('text')
      .attr('x', -10)
      .attr('y', top + 12 + index * 14)
      .attr('text-anchor', 'end')
      .attr('font-size', 11)
      .attr('fill', index === 0 ? plot.palette.text : plot.palette.muted)
      .text(cut);
  });
}

/** Writes each rank at the start of its span, on it where it is high enough, else above. */
function writeRanks(
  plot: Plot,
  { spans }: RankLane,
  x: (ts: number) => number,
  top: (rank: number) => number,
): void {
  for (const { ts, dur, rank } of spans) {
    if (x(ts + dur) - x(ts) < NUMBER_PX) continue;
    const inside = top(0) - top(rank) > 9;
    plot.svg
      .append('text')
      .attr('x', x(ts) + 3)
      .attr('y', top(rank) + (inside ? 11 : -3))
      .attr('font-size', 10.5)
      .attr('font-weight', 600)
      .attr('pointer-events', 'none')
      .attr('fill', plot.palette.text)
      .text(rank);
  }
}

/** What a pointer at a time in a lane is told. */
export function laneLines({ origin_ns }: RankHistoryModel, lane: RankLane, ts: number): readonly string[] {
  const holds = (span: { readonly ts: number; readonly dur: number }) =>
    span.ts <= ts && ts < span.ts + span.dur;
  const span = lane.spans.find(holds);
  const wait = lane.waits.find(holds);
  return [
    `${lane.process ?? 'unknown process'} (tid ${lane.tid})`,
    span === undefined
      ? 'no rank recorded yet'
      : `rank ${span.rank} for ${formatDuration(span.dur)} from ${formatTime(span.ts, origin_ns)}`,
    ...(wait === undefined ? [] : [`ready, but did not run, for ${formatDuration(wait.dur)}`]),
  ];
}
