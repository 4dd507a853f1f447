import { formatDuration } from '../../shared/model/index.ts';
import {
  addLabel,
  drawDurationAxis,
  durationScale,
  fittedLabel,
  type Hit,
  type LegendEntry,
  type Margins,
  type Palette,
  type Plot,
  type PlotPoint,
} from '../kit/index.ts';
import type { BlameRow } from './load.ts';

export const SCATTER_MARGINS: Margins = { top: 14, right: 24, bottom: 40, left: 66 };

const DOT_PX = 4.5;
/** A pointer so near to a dot finds it. */
const REACH_PX = 10;
/** The first rows have names in the picture, as far as these do not cover each other. */
const MOST_NAMED = 16;
const MOST_CHARACTERS = 40;
const CHARACTER_PX = 6;
const LINE_PX = 14;

/** What the colours mean. */
export const scatterLegend = (palette: Palette): readonly LegendEntry[] => [
  { label: 'it mostly ran or was ready', color: palette.series[0] },
  { label: 'it was mostly blocked itself', color: palette.series[1] },
];

interface Dot {
  readonly row: Pick<BlameRow, 'label'>;
  readonly x: number;
  readonly y: number;
}

const isMostlyBlocked = ({ active_ns, blocked_ns }: BlameRow) => blocked_ns > active_ns;

function place(rows: readonly BlameRow[], { width, height }: Pick<Plot, 'width' | 'height'>) {
  const shown = rows.filter(({ waits_ns }) => waits_ns > 0);
  const least = (of: (row: BlameRow) => number) => Math.min(...shown.map(of).filter((ns) => ns > 0));
  const scaleOf = (of: (row: BlameRow) => number, px: readonly [number, number]) =>
    durationScale(least(of), Math.max(...shown.map(of)), px);
  const x = scaleOf(({ ran_ns }) => ran_ns, [0, width]);
  const y = scaleOf(({ waits_ns }) => waits_ns, [height, 0]);
  const dots = shown.map((row) => ({ row, x: x(Math.max(1, row.ran_ns)), y: y(row.waits_ns) }));
  return { x, y, dots };
}

/** Each row by the CPU time that it used, and the time that others waited for it; above the line others waited longer than it ran. */
export function drawScatter(plot: Plot, rows: readonly BlameRow[]): void {
  const { x, y, dots } = place(rows, plot);
  drawDurationAxis(plot, x, 'bottom');
  drawDurationAxis(plot, y, 'left');
  const [low, high] = [
    Math.max(x.domain()[0] ?? 1, y.domain()[0] ?? 1),
    Math.min(x.domain()[1] ?? 1, y.domain()[1] ?? 1),
  ];
  if (low < high)
    plot.stroke(plot.palette.muted, (pen) => {
      pen.moveTo(x(low), y(low));
      pen.lineTo(x(high), y(high));
    });
  for (const blocked of [true, false])
    plot.fill(plot.palette.series[blocked ? 1 : 0], (pen) => {
      for (const dot of dots) {
        if (isMostlyBlocked(dot.row) !== blocked) continue;
        pen.moveTo(dot.x + DOT_PX, dot.y);
        pen.arc(dot.x, dot.y, DOT_PX, 0, 2 * Math.PI);
      }
    });
  const { muted, text: color } = plot.palette;
  addLabel(plot, 'CPU time that it used →', 0, plot.height + 34, { color: muted });
  addLabel(plot, '↑ others waited', 4, 6, { color: muted });
  for (const named of labelsOf(dots, plot.width)) addLabel(plot, named.text, named.x, named.y + 4, { color });
}

/** The names of the first dots that have room between names and dots, on the side of theirs that has room for most of it. */
export function labelsOf(
  dots: readonly Dot[],
  width: number,
): readonly { text: string; x: number; y: number }[] {
  const labels: { text: string; x: number; y: number; right: number }[] = [];
  for (const { row, x, y } of dots.slice(0, MOST_NAMED)) {
    const gap = DOT_PX + 5;
    const whole_px = Math.min(row.label.length, MOST_CHARACTERS) * CHARACTER_PX;
    const isRight = x + gap + whole_px <= width || width - x > x;
    const room_px = (isRight ? width - x : x) - gap;
    const text = fittedLabel(row.label, Math.min(MOST_CHARACTERS, Math.floor(room_px / CHARACTER_PX)));
    const length = text.length * CHARACTER_PX;
    const left = isRight ? x + gap : x - gap - length;
    const next = { text, x: left, y, right: left + length };
    const isCovered = labels.some(
      (other) => Math.abs(other.y - y) < LINE_PX && other.x < next.right && left < other.right,
    );
    const coversDots = dots.some(
      (dot) =>
        dot.row !== row &&
        left < dot.x + DOT_PX &&
        dot.x - DOT_PX < next.right &&
        Math.abs(dot.y - y) < LINE_PX / 2,
    );
    if (!isCovered && !coversDots) labels.push(next);
  }
  return labels;
}

/** The dot at a point, or near to it. */
export function scatterAt(
  rows: readonly BlameRow[],
  { x, y, plot }: Pick<PlotPoint, 'x' | 'y' | 'plot'>,
  choose: (row: BlameRow) => void,
): Hit | null {
  const distance = (dot: Dot) => Math.hypot(dot.x - x, dot.y - y);
  const [nearest] = place(rows, plot).dots.sort((a, b) => distance(a) - distance(b));
  if (nearest === undefined || distance(nearest) > REACH_PX) return null;
  const { row } = nearest;
  return {
    lines: [
      row.label,
      `others waited ${formatDuration(row.waits_ns)}`,
      `it used ${formatDuration(row.ran_ns)} of CPU time`,
    ],
    ...(row.thread && { choose: () => choose(row) }),
  };
}
