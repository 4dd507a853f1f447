import { computed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  bindGestures,
  drawMarks,
  drawTimeAxis,
  livePlot,
  markColor,
  timeScale,
  type LivePlot,
  type Margins,
  type Plot,
} from '../../views/kit/index.ts';
import { formatDuration } from '../../shared/model/index.ts';
import { MarkList } from './mark-list.tsx';
import { loaded, marks, range, selection, shownTheme, zoomTo } from './state.ts';

const AXIS_MARGINS: Margins = { top: 0, right: 16, bottom: 22, left: 16 };
const OVERVIEW_MARGINS: Margins = { top: 3, right: 16, bottom: 3, left: 16 };
/** The window on the overview stays wide enough to be seen. */
const NARROWEST_PX = 3;
/** A text stands so far below its middle. */
const BASE_PX = 4;

/** The time axis that all views share: above the whole trace with the part in view, below that part. */
export function TimeBar() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => (element.current === null ? undefined : bindTimeBar(element.current)), []);
  return (
    <div class="time-bar" role="group" aria-label="Time">
      <div ref={element} />
      <MarkList />
    </div>
  );
}

function bindTimeBar(parent: HTMLElement): () => void {
  let dragged: TimeRange | null = null;
  const whole = () => loaded.peek()?.summary.range ?? { start: 0, end: 1 };
  const overview = livePlot(parent, 'The whole trace, with the part in view', OVERVIEW_MARGINS, (plot) =>
    drawOverview(plot, whole(), dragged),
  );
  overview.element.classList.add('overview');
  const axis = livePlot(parent, 'Time in view', AXIS_MARGINS, (plot) => {
    drawTimeAxis(plot, range.peek(), whole().start);
    const { span } = selection.peek();
    if (span !== null) fillSpan(plot, range.peek(), span, plot.palette.shade, null);
    drawMarks(plot, range.peek(), marks.peek());
    if (dragged !== null) fillSpan(plot, range.peek(), dragged, plot.palette.shade, plot.palette.accent);
    drawLength(plot, dragged ?? range.peek());
  });
  axis.element.classList.add('axis');

  const shown = computed(() => [range.value, selection.value, marks.value, shownTheme.value]);
  const unfollow = shown.subscribe(() => {
    overview.redraw();
    axis.redraw();
  });
  const shared = { bounds: whole, zoomTo };
  const area = (plot: LivePlot, { left }: Margins) => ({ left, width: plot.current()?.width ?? 1 });
  const unbindAxis = bindGestures({
    ...shared,
    element: axis.element,
    wheel: 'zooms',
    area: () => area(axis, AXIS_MARGINS),
    range: () => range.peek(),
    onDrag: (span) => {
      dragged = span;
      axis.redraw();
    },
  });
  const unbindOverview = bindGestures({
    ...shared,
    element: overview.element,
    wheel: 'idle',
    area: () => area(overview, OVERVIEW_MARGINS),
    range: whole,
    onDrag: (span) => {
      dragged = span;
      overview.redraw();
    },
  });
  return () => {
    unfollow();
    unbindAxis();
    unbindOverview();
    overview.end();
    axis.end();
  };
}

/** The whole trace as a bar, the selection in it, and a window on the part in view. */
function drawOverview(plot: Plot, whole: TimeRange, dragged: TimeRange | null): void {
  const { muted, accent, shade, grid } = plot.palette;
  plot.fill(grid, (pen) => pen.rect(0, 0, plot.width, plot.height));
  const { span } = selection.peek();
  for (const mark of marks.peek()) {
    const at = { start: mark.ts, end: mark.ts };
    fillSpan(plot, whole, at, markColor(plot.palette, mark), null);
  }
  if (span !== null) fillSpan(plot, whole, span, plot.palette.series[0], null);
  fillSpan(plot, whole, range.peek(), shade, accent);
  if (dragged !== null) fillSpan(plot, whole, dragged, shade, muted);
}

function fillSpan(plot: Plot, range: TimeRange, span: TimeRange, color: string, edge: string | null): void {
  const x = timeScale(range, plot.width).clamp(true);
  const left = x(span.start);
  const width = Math.max(NARROWEST_PX, x(span.end) - left);
  plot.fill(color, (pen) => pen.rect(left, 0, width, plot.height));
  if (edge !== null) plot.stroke(edge, (pen) => pen.rect(left, 0, width, plot.height));
}

/** How much time is in view, or covered by a drag. */
function drawLength(plot: Plot, { start, end }: TimeRange): void {
  const { text, background } = plot.palette;
  const look = { size_px: 12, weight: 600, halo: background };
  plot.write(
    text,
    (write) => write(formatDuration(end - start), plot.width / 2, plot.height / 2 + BASE_PX, 'middle'),
    look,
  );
}
