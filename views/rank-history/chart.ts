import { interpolateRgb } from 'd3';
import { formatDuration, formatTime } from '../../shared/model/index.ts';
import type { LaneChart, LegendEntry, Palette, Plot } from '../kit/index.ts';
import type { RankHistoryModel, RankLane } from './model.ts';

const LANE_PX = 34;
/** The strip below a lane's ranks, in which ready waits are drawn. */
const WAIT_PX = 5;
const LOWEST_STEP_PX = 4;
/** A span at least so wide carries its rank as a number. */
const NUMBER_PX = 14;

function rankColor(palette: Palette, rank: number, highest: number): string {
  const [ranked, , , , grey] = palette.series;
  return rank === 0 ? grey : interpolateRgb(palette.background, ranked)(0.4 + (0.6 * rank) / highest);
}

/** What the marks mean. */
function rankLegend(palette: Palette, highest: number): readonly LegendEntry[] {
  const ranks = highest === 1 ? 'rank 1' : `rank 1 to ${highest}: higher and stronger is worse`;
  return [
    { label: 'rank 0', color: palette.series[4], mark: 'fill' },
    { label: ranks, color: palette.series[0], mark: 'fill' },
    { label: 'ready at a rank above 0, but did not run', color: palette.series[1], mark: 'fill' },
  ];
}

/** A lane for each thread: its rank over time as steps, and below them its ready waits. */
export function rankChart({ lanes, origin_ns }: RankHistoryModel): LaneChart {
  const highest = Math.max(1, ...lanes.map(({ highest_rank }) => highest_rank));
  const floor = LANE_PX - WAIT_PX - 2;
  const height = (rank: number) => LOWEST_STEP_PX + ((floor - LOWEST_STEP_PX) * rank) / highest;
  return {
    origin_ns,
    lane_px: LANE_PX,
    gap_px: 8,
    names: lanes.map(({ process, tid, thread }) => [
      process ?? 'unknown process',
      `tid ${tid}${thread === null ? '' : ` ${thread}`}`,
    ]),
    legend: (palette) => rankLegend(palette, highest),
    draw: (plot, { range, x, top }) => {
      const inSight = ({ ts, dur }: TimeSpan) => ts <= range.end && ts + dur >= range.start;
      for (let rank = 0; rank <= highest; rank++) {
        plot.fill(rankColor(plot.palette, rank, highest), (pen) =>
          lanes.forEach(({ spans }, lane) => {
            for (const span of spans) {
              if (span.rank !== rank || !inSight(span)) continue;
              const left = x(span.ts);
              const width = Math.max(1, x(span.ts + span.dur) - left);
              pen.rect(left, top(lane) + floor - height(rank), width, height(rank));
            }
          }),
        );
      }
      plot.fill(plot.palette.series[1], (pen) =>
        lanes.forEach(({ waits }, lane) => {
          for (const { ts, dur } of waits.filter(inSight)) {
            pen.rect(x(ts), top(lane) + LANE_PX - WAIT_PX, Math.max(1, x(ts + dur) - x(ts)), WAIT_PX);
          }
        }),
      );
      lanes.forEach((lane, index) => writeRanks(plot, lane, x, (rank) => top(index) + floor - height(rank)));
    },
  };
}

interface TimeSpan {
  readonly ts: number;
  readonly dur: number;
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
  const holds = (span: TimeSpan) => span.ts <= ts && ts < span.ts + span.dur;
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
