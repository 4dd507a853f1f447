import { formatDuration } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  drawShade,
  drawTimeAxis,
  timeScale,
  type Chart,
  type LegendEntry,
  type Margins,
  type Palette,
  type Pen,
  type Plot,
} from '../kit/index.ts';
import type { FocusAndInputModel, FocusSpan, InputEvent, InputKind } from './model.ts';
import { processWords } from './words.ts';

export const MARGINS: Margins = { top: 12, right: 16, bottom: 24, left: 190 };

const LANE_PX = 20;
const GAP_PX = 6;
/** How far a point reaches. */
const POINT_PX = 7;
const CHARACTER_PX = 6.4;
const LABEL_CHARACTERS = 28;
/** A pointer so near to a mark is on it. */
const NEAR_PX = 5;

/** The lanes below those of the processes. */
const INPUT_LANES: readonly { readonly label: string; readonly kinds: readonly InputKind[] }[] = [
  { label: 'keys', kinds: ['key_down'] },
  { label: 'mouse', kinds: ['mouse_move', 'mouse_wheel', 'mouse_down', 'mouse_up'] },
];

/** The mark of each kind of input: its corners around the middle of its lane, in px. */
const SHAPES: Readonly<Record<InputKind, readonly (readonly [number, number])[]>> = {
  key_down: [
    [-1, -9],
    [1, -9],
    [1, 9],
    [-1, 9],
  ],
  mouse_down: [
    [-4.5, -5],
    [4.5, -5],
    [0, 5],
  ],
  mouse_up: [
    [-4.5, 5],
    [4.5, 5],
    [0, -5],
  ],
  mouse_wheel: [
    [-4, 0],
    [0, -6],
    [4, 0],
    [0, 6],
  ],
  mouse_move: [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ],
};

const laneTop = (lane: number) => lane * (LANE_PX + GAP_PX);

/** The height of the chart with its margins, in px. */
export function lanesHeight({ lanes }: FocusAndInputModel): number {
  return MARGINS.top + laneTop(lanes.length + INPUT_LANES.length) + MARGINS.bottom;
}

/** The focus span or input event at a place within the plot; null if there is none. */
export function eventAt(
  { lanes, inputs }: FocusAndInputModel,
  [px, py]: readonly [number, number],
  range: TimeRange,
  width: number,
): FocusSpan | InputEvent | null {
  const x = timeScale(range, width);
  const lane = Math.floor(py / (LANE_PX + GAP_PX));
  const process = lanes[lane];
  if (process !== undefined) {
    const at = x.invert(px);
    return process.spans.find(({ ts, dur }) => ts <= at && at < ts + dur) ?? null;
  }
  const kinds = INPUT_LANES[lane - lanes.length]?.kinds ?? [];
  const distance = ({ ts }: InputEvent) => Math.abs(x(ts) - px);
  return inputs
    .filter((input) => kinds.includes(input.kind) && distance(input) <= NEAR_PX)
    .reduce<InputEvent | null>(
      (near, input) => (near === null || distance(input) < distance(near) ? input : near),
      null,
    );
}

/** The colour of each kind of input. */
function inputColor({ series, muted }: Palette, kind: InputKind): string {
  const [key, , wheel, button] = series;
  switch (kind) {
    case 'key_down':
      return key;
    case 'mouse_down':
    case 'mouse_up':
      return button;
    case 'mouse_wheel':
      return wheel;
    case 'mouse_move':
      return muted;
  }
}

/** What the marks mean. */
export function focusLegend(palette: Palette): readonly LegendEntry[] {
  return [
    {
      label: 'has the focus (pointed: since before the trace, or beyond it)',
      color: palette.series[1],
      mark: 'fill',
    },
    { label: 'key down (bar)', color: inputColor(palette, 'key_down'), mark: 'fill' },
    { label: 'mouse button ▼ down ▲ up', color: inputColor(palette, 'mouse_down'), mark: 'fill' },
    { label: 'wheel ◆', color: inputColor(palette, 'mouse_wheel'), mark: 'fill' },
  ];
}

/** A lane for each process that had the focus, then one for keys and one for the mouse. */
export function focusChart(
  { lanes, inputs, origin_ns }: FocusAndInputModel,
  range: () => TimeRange,
  chosen: () => TimeRange | null,
  dragged: () => TimeRange | null,
): Chart {
  return (plot) => {
    const { start, end } = range();
    drawTimeAxis(plot, range(), origin_ns);
    const x = timeScale(range(), plot.width).clamp(true);
    plot.fill(plot.palette.series[1], (pen) =>
      lanes.forEach(({ spans }, lane) => {
        for (const span of spans) {
          if (span.ts < end && span.ts + span.dur > start) addBar(pen, span, range(), x, laneTop(lane));
        }
      }),
    );
    INPUT_LANES.forEach(({ kinds }, index) => {
      for (const kind of kinds) {
        plot.fill(inputColor(plot.palette, kind), (pen) => {
          for (const input of inputs) {
            if (input.kind !== kind || input.ts < start || input.ts > end) continue;
            addMark(pen, kind, x(input.ts), laneTop(lanes.length + index));
          }
        });
      }
    });
    const labels = [...lanes.map(processWords), ...INPUT_LANES.map(({ label }) => label)];
    labels.forEach((label, lane) => writeLabel(plot, label, laneTop(lane)));
    lanes.forEach(({ spans }, lane) => {
      for (const span of spans) writeLength(plot, span, x, laneTop(lane));
    });
    for (const span of [chosen(), dragged()]) if (span !== null) drawShade(plot, range(), span);
  };
}

/** A bar, pointed at an end that is open and within the range. */
function addBar(
  pen: Pen,
  { ts, dur, open_start, open_end }: FocusSpan,
  range: TimeRange,
  x: (ts: number) => number,
  top: number,
): void {
  const left = x(ts);
  const right = Math.max(left + 1, x(ts + dur));
  const point = Math.min(POINT_PX, (right - left) / 2);
  const leftPoint = open_start && ts >= range.start ? point : 0;
  const rightPoint = open_end && ts + dur <= range.end ? point : 0;
  pen.moveTo(left, top + LANE_PX / 2);
  pen.lineTo(left + leftPoint, top);
  pen.lineTo(right - rightPoint, top);
  pen.lineTo(right, top + LANE_PX / 2);
  pen.lineTo(right - rightPoint, top + LANE_PX);
  pen.lineTo(left + leftPoint, top + LANE_PX);
  pen.closePath();
}

/** A mark whose shape tells the kind of input. */
function addMark(pen: Pen, kind: InputKind, at: number, top: number): void {
  SHAPES[kind].forEach(([x, y], index) => {
    if (index === 0) pen.moveTo(at + x, top + LANE_PX / 2 + y);
    else pen.lineTo(at + x, top + LANE_PX / 2 + y);
  });
  pen.closePath();
}

function writeLabel(plot: Plot, label: string, top: number): void {
  plot.svg
    .append('text')
    .attr('x', -10)
    .attr('y', top + LANE_PX / 2)
    .attr('dy', '0.35em')
    .attr('text-anchor', 'end')
    .attr('font-size', 11)
    .attr('fill', plot.palette.text)
    .text(label.length > LABEL_CHARACTERS ? `${label.slice(0, LABEL_CHARACTERS - 1)}…` : label);
}

/** Writes the process's name, or how long it had the focus, on a bar that has room. */
function writeLength(plot: Plot, span: FocusSpan, x: (ts: number) => number, top: number): void {
  const left = x(span.ts) + POINT_PX + 2;
  const room = x(span.ts + span.dur) - POINT_PX - left;
  const duration = formatDuration(span.dur);
  const texts = [`${span.process ?? 'unknown process'} ${duration}`, duration];
  const text = texts.find(({ length }) => length * CHARACTER_PX <= room);
  if (text === undefined) return;
  plot.svg
    .append('text')
    .attr('x', left)
    .attr('y', top + LANE_PX / 2)
    .attr('dy', '0.35em')
    .attr('font-size', 11)
    .attr('pointer-events', 'none')
    .attr('fill', plot.palette.background)
    .text(text);
}
