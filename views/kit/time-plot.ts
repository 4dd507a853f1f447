import * as d3 from 'd3';
import { formatTime } from '../../shared/model/index.ts';
import type { MarkedEvent, ParamSpecs, TimeRange, ViewContext } from '../../shared/view/index.ts';
import { timeScale } from './axes.ts';
import { bindGestures, DRAG_PX } from './gestures.ts';
import { drawMarks } from './marks.ts';
import { livePlot, type Margins, type Plot } from './plot.ts';
import { drawShade } from './shade.ts';
import type { Tooltip } from './tooltip.ts';

/** What a time plot needs of a view's context. */
export type TimeContext = Pick<
  ViewContext<ParamSpecs>,
  'trace' | 'range' | 'selection' | 'onRange' | 'onSelection' | 'toggleMark' | 'zoomTo'
>;

/** A chart over a range of time. It draws what was loaded; the range on the way may show less or more than that. */
export type TimeChart = (plot: Plot, range: TimeRange) => void;

/** A place in a time plot: px from the top left of its inner area, and the time there. */
export interface PlotPoint {
  readonly x: number;
  readonly y: number;
  readonly ts: number;
  readonly range: TimeRange;
  readonly plot: Plot;
}

/** What a pointer finds in a time plot. */
export interface PlotEvents<E> {
  /** What lies at a point within the inner area; null if nothing does. */
  at(point: PlotPoint): E | null;
  /** What the tooltip says of it. */
  lines(event: E, point: PlotPoint): readonly string[];
  readonly tooltip: Tooltip;
  /** Called on a click on it. */
  choose?(event: E): void;
  /** Whether a click on it does something; it does unless this says no. */
  chooses?(event: E): boolean;
  /** What it is marked as; the time under the pointer where it has no name. */
  mark?(event: E): MarkedEvent | undefined;
}

/** How a time plot is made. */
export interface TimePlotOptions<E> {
  /** Names it for screen readers, and says where the same facts are as a table. */
  readonly label: string;
  readonly margins: Margins;
  /** Left out where the style sheet says it. */
  readonly height_px?: number;
  readonly draw: TimeChart;
  readonly events?: PlotEvents<E>;
  /** Takes what draws the chart anew, to call it when that shows something else; returns what ends that. */
  readonly redrawOn?: (redraw: () => void) => () => void;
  /** The range that it shows while another is in view, where it does not follow that everywhere. */
  readonly rangeOf?: (inView: TimeRange) => TimeRange;
  /** Whether the chosen span is shaded in it; it is unless this says no. */
  readonly shades?: (span: TimeRange) => boolean;
}

/**
 * Puts a chart over time into a window. It stays on the range that the user is on the way to, lets gestures change that,
 * shades the chosen span, and shows the marks of all views; Shift + click, or M under the pointer, marks what is there.
 * Returns what ends it.
 */
export function timePlot<E>(
  parent: HTMLElement,
  context: TimeContext,
  {
    label,
    margins,
    height_px,
    draw,
    events,
    redrawOn,
    rangeOf = (inView) => inView,
    shades = () => true,
  }: TimePlotOptions<E>,
): () => void {
  let range = rangeOf(context.range);
  let dragged: TimeRange | null = null;
  let { span } = context.selection;
  let marks: Parameters<typeof drawMarks>[2] = [];
  const plot = livePlot(
    parent,
    label,
    margins,
    (area) => draw(area, range),
    (area) => {
      if (span !== null && shades(span)) drawShade(area, range, span);
      if (dragged !== null) drawShade(area, range, dragged);
      drawMarks(area, range, marks);
    },
  );
  plot.element.classList.add('over-time');
  if (height_px !== undefined) plot.element.style.height = `${height_px}px`;

  const ends = [
    context.onRange?.((next) => {
      range = rangeOf(next);
      plot.redraw();
    }),
    redrawOn?.(() => plot.redraw()),
    context.onSelection?.((selection, allMarks) => {
      span = selection.span;
      marks = allMarks;
      plot.redrawOverlay();
    }),
    bindGestures({
      element: plot.element,
      area: () => ({ left: margins.left, width: plot.current()?.width ?? 1 }),
      range: () => range,
      bounds: () => context.trace.range,
      zoomTo: (next) => context.zoomTo(next),
      onDrag: (next) => {
        dragged = next;
        plot.redrawOverlay();
      },
      wheel: 'scrolls',
    }),
    () => plot.end(),
  ];

  const pointAt = (event: MouseEvent): PlotPoint | null => {
    const area = plot.current();
    if (area === null) return null;
    const box = plot.element.getBoundingClientRect();
    const x = event.clientX - box.left - margins.left;
    const y = event.clientY - box.top - margins.top;
    if (x < 0 || x > area.width) return null;
    return { x, y, ts: timeScale(range, area.width).invert(x), range, plot: area };
  };
  const markAt = (point: PlotPoint) => {
    const found = events?.at(point) ?? null;
    const marked = found === null ? undefined : events?.mark?.(found);
    const ts = Math.round(point.ts);
    context.toggleMark?.(marked ?? { ts, label: formatTime(ts, context.trace.range.start) });
  };
  ends.push(bindPointer(plot.element, pointAt, markAt, events));
  return () => {
    for (const end of ends) end?.();
  };
}

function bindPointer<E>(
  element: HTMLElement,
  pointAt: (event: MouseEvent) => PlotPoint | null,
  markAt: (point: PlotPoint) => void,
  events: PlotEvents<E> | undefined,
): () => void {
  let pressedAt = 0;
  let last: PointerEvent | null = null;
  const bound = new AbortController();
  const leave = () => {
    last = null;
    events?.tooltip.hide();
  };
  d3.select(element)
    .on('pointerdown', (event: PointerEvent) => (pressedAt = event.clientX))
    .on('pointermove', (event: PointerEvent) => {
      last = event;
      if (events === undefined) return;
      const point = event.buttons === 0 ? pointAt(event) : null;
      const found = point === null ? null : events.at(point);
      const chooses = found !== null && events.choose !== undefined && events.chooses?.(found) !== false;
      element.style.cursor = chooses ? 'pointer' : 'crosshair';
      if (point === null || found === null) events.tooltip.hide();
      else events.tooltip.show(event, events.lines(found, point));
    })
    .on('pointerleave', leave)
    .on('click', (event: PointerEvent) => {
      const point = pointAt(event);
      if (point === null || Math.abs(event.clientX - pressedAt) >= DRAG_PX) return;
      if (event.shiftKey) {
        markAt(point);
        return;
      }
      const found = events?.at(point) ?? null;
      if (found !== null) events?.choose?.(found);
    });
  element.ownerDocument.addEventListener(
    'keydown',
    (event) => {
      const { target } = event;
      const typing = target instanceof Element && target.matches('input, textarea, select, dialog *');
      if (last === null || typing || event.defaultPrevented || event.code !== 'KeyM') return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const point = pointAt(last);
      if (point === null) return;
      event.preventDefault();
      markAt(point);
    },
    { signal: bound.signal },
  );
  return () => {
    bound.abort();
    leave();
  };
}
