import { formatDuration } from '../../shared/model/index.ts';
import { processLabel, programLabel } from '../../shared/threads/index.ts';
import {
  addPointedBar,
  timeScale,
  writeOnBar,
  type LaneChart,
  type LaneSpace,
  type LegendEntry,
  type Palette,
  type Pen,
  type Plot,
  type PlotPoint,
} from '../kit/index.ts';
import type { FocusAndInputModel, FocusSpan, InputEvent, InputKind } from './model.ts';

const LANE_PX = 20;
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

/** The focus span or input event at a point in a lane; null if there is none. */
export function eventAt(
  { lanes, inputs }: FocusAndInputModel,
  lane: number,
  { x: px, ts: at, range, plot }: PlotPoint,
): FocusSpan | InputEvent | null {
  const process = lanes[lane];
  if (process !== undefined) {
    return process.spans.find(({ ts, dur }) => ts <= at && at < ts + dur) ?? null;
  }
  const x = timeScale(range, plot.width);
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
function focusLegend(palette: Palette): readonly LegendEntry[] {
  return [
    { label: 'has the focus (pointed: since before the trace, or beyond it)', color: palette.series[1] },
    { label: 'key down (bar)', color: inputColor(palette, 'key_down') },
    { label: 'mouse button ▼ down ▲ up', color: inputColor(palette, 'mouse_down') },
    { label: 'wheel ◆', color: inputColor(palette, 'mouse_wheel') },
  ];
}

/** A lane for each process that had the focus, then one for keys and one for the mouse. */
export function focusChart(model: FocusAndInputModel): LaneChart {
  const labels = [...model.lanes.map(processLabel), ...INPUT_LANES.map(({ label }) => label)];
  return {
    origin_ns: model.origin_ns,
    lane_px: LANE_PX,
    gap_px: 6,
    names: labels.map((label) => [label]),
    legend: focusLegend,
    draw: (plot, space) => drawEvents(plot, space, model),
  };
}

function drawEvents(plot: Plot, space: LaneSpace, { lanes, inputs }: FocusAndInputModel): void {
  const { x, top } = space;
  const { start, end } = space.range;
  plot.fill(plot.palette.series[1], (pen) =>
    lanes.forEach(({ spans }, lane) => {
      for (const span of spans) {
        if (span.ts < end && span.ts + span.dur > start) {
          addPointedBar(pen, span, space, top(lane), LANE_PX);
        }
      }
    }),
  );
  INPUT_LANES.forEach(({ kinds }, index) => {
    for (const kind of kinds) {
      plot.fill(inputColor(plot.palette, kind), (pen) => {
        for (const input of inputs) {
          if (input.kind !== kind || input.ts < start || input.ts > end) continue;
          addMark(pen, kind, x(input.ts), top(lanes.length + index));
        }
      });
    }
  });
  lanes.forEach(({ spans }, lane) => {
    for (const span of spans) {
      const duration = formatDuration(span.dur);
      const program = programLabel({ process: span.process, service: span.services });
      const texts = [`${program} ${duration}`, duration];
      writeOnBar(plot, texts, span, space, top(lane) + LANE_PX / 2);
    }
  });
}

/** A mark whose shape tells the kind of input. */
function addMark(pen: Pen, kind: InputKind, at: number, top: number): void {
  SHAPES[kind].forEach(([x, y], index) => {
    if (index === 0) pen.moveTo(at + x, top + LANE_PX / 2 + y);
    else pen.lineTo(at + x, top + LANE_PX / 2 + y);
  });
  pen.closePath();
}
