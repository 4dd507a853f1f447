import { interpolateRgb } from 'd3';
import { formatDuration, formatTime } from '../../shared/model/index.ts';
import { programLabel, threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { LaneChart, LaneSpace, LegendEntry, Palette, Pen, Write } from '../kit/index.ts';
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
    { label: 'rank 0', color: palette.series[4] },
    { label: ranks, color: palette.series[0] },
    { label: 'ready at a rank above 0, but did not run', color: palette.series[1] },
  ];
}

/** A lane for each thread: its rank over time as steps, and below them its ready waits. */
export function rankChart({ lanes, origin_ns }: RankHistoryModel): LaneChart {
  const highest = Math.max(1, ...lanes.map(({ highest_rank }) => highest_rank));
  const byRank = lanes.map(({ spans }) =>
    Array.from({ length: highest + 1 }, (_, rank) => spans.filter((span) => span.rank === rank)),
  );
  const floor = LANE_PX - WAIT_PX - 2;
  const height = (rank: number) => LOWEST_STEP_PX + ((floor - LOWEST_STEP_PX) * rank) / highest;
  return {
    origin_ns,
    lane_px: LANE_PX,
    gap_px: 8,
    names: lanes.map(({ process, service, tid, thread }) => [
      programLabel({ process, service }),
      `tid ${tid}${thread === null ? '' : ` ${thread}`}`,
    ]),
    legend: (palette) => rankLegend(palette, highest),
    draw: (plot, space) => {
      const { top, lanes: seen } = space;
      const inSight = lanes.slice(seen.first, seen.end);
      const place = placeIn(space);
      const bars = (pen: Pen, spans: readonly TimeSpan[], y: number, height_px: number) =>
        forEachStretch(spans, place, (from, to) => pen.rect(from, y, to - from, height_px));
      for (let rank = 0; rank <= highest; rank++) {
        plot.fill(rankColor(plot.palette, rank, highest), (pen) =>
          byRank
            .slice(seen.first, seen.end)
            .forEach((spans, at) =>
              bars(pen, spans[rank] ?? [], top(seen.first + at) + floor - height(rank), height(rank)),
            ),
        );
      }
      plot.fill(plot.palette.series[1], (pen) =>
        inSight.forEach(({ waits }, at) =>
          bars(pen, waits, top(seen.first + at) + LANE_PX - WAIT_PX, WAIT_PX),
        ),
      );
      plot.write(plot.palette.text, (write) =>
        inSight.forEach((lane, at) =>
          writeRanks(write, lane, place, (rank) => top(seen.first + at) + floor - height(rank)),
        ),
      );
    },
  };
}

interface TimeSpan {
  readonly ts: number;
  readonly dur: number;
}

/** Where times are in px, as a scale has it: in a frame of a zoom it is asked for some hundred thousand, which a scale is slow for. */
interface Place {
  readonly range: TimeRange;
  readonly start_px: number;
  readonly px_per_ns: number;
}

function placeIn({ range, x }: LaneSpace): Place {
  const start_px = x(range.start);
  return { range, start_px, px_per_ns: (x(range.end) - start_px) / (range.end - range.start) };
}

/**
 * Uses where spans, sorted by time, are in sight. Those that begin in the pixel in which the one before ends are one stretch
 * with it, so that however many there are, there is not more to draw than there are pixels.
 */
function forEachStretch(
  spans: readonly TimeSpan[],
  { range, start_px, px_per_ns }: Place,
  use: (from: number, to: number) => void,
): void {
  let [first, last] = [NaN, NaN];
  for (const { ts, dur } of spans) {
    if (ts > range.end) break;
    if (ts + dur < range.start) continue;
    const from = start_px + (ts - range.start) * px_per_ns;
    const to = Math.max(from + 1, from + dur * px_per_ns);
    if (from <= last) last = Math.max(last, to);
    else {
      if (last > first) use(first, last);
      [first, last] = [from, to];
    }
  }
  if (last > first) use(first, last);
}

/** Writes each rank at the start of its span, on it where it is high enough, else above. */
function writeRanks(
  write: Write,
  { spans }: RankLane,
  { range, start_px, px_per_ns }: Place,
  top: (rank: number) => number,
): void {
  const least_ns = NUMBER_PX / px_per_ns;
  for (const { ts, dur, rank } of spans) {
    if (ts > range.end) break;
    if (dur < least_ns || ts + dur < range.start) continue;
    const inside = top(0) - top(rank) > 9;
    write(String(rank), start_px + (ts - range.start) * px_per_ns + 3, top(rank) + (inside ? 11 : -3));
  }
}

/** What a pointer at a time in a lane is told. */
export function laneLines({ origin_ns }: RankHistoryModel, lane: RankLane, ts: number): readonly string[] {
  const holds = (span: TimeSpan) => span.ts <= ts && ts < span.ts + span.dur;
  const span = lane.spans.find(holds);
  const wait = lane.waits.find(holds);
  return [
    threadLabel(lane),
    span === undefined
      ? 'no rank recorded yet'
      : `rank ${span.rank} for ${formatDuration(span.dur)} from ${formatTime(span.ts, origin_ns)}`,
    ...(wait === undefined ? [] : [`ready, but did not run, for ${formatDuration(wait.dur)}`]),
  ];
}
