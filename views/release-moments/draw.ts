import * as d3 from 'd3';
import { formatCount, formatDuration } from '../../shared/model/index.ts';
import type { TimeRange, ViewContext } from '../../shared/view/index.ts';
import {
  bindGestures,
  drawLegend,
  drawTable,
  livePlot,
  makeTooltip,
  paletteOf,
  rangeAround,
  timeScale,
} from '../kit/index.ts';
import { peakLegend, PEAKS_MARGINS, peaksChart } from './chart.ts';
import type { Moment, ReleaseMomentsModel } from './model.ts';
import type { params } from './params.ts';
import { momentTable } from './tables.ts';

type Context = ViewContext<typeof params>;

/** Margin around a chosen moment, in times its length. */
const ZOOM_MARGIN = 10;

/** Draws the view into a window. Returns what undoes it. */
export function drawReleaseMoments(
  container: HTMLElement,
  model: ReleaseMomentsModel,
  context: Context,
): () => void {
  const root = container.appendChild(container.ownerDocument.createElement('div'));
  root.className = 'view-page release-moments';
  root.style.padding = '0';
  if (model.notes.length > 0) {
    d3.select(root)
      .append('ul')
      .attr('class', 'notes')
      .selectAll('li')
      .data(model.notes)
      .join('li')
      .text((note) => note);
  }
  if (model.moments.length === 0) {
    const empty = d3.select(root).append('div').attr('class', 'empty');
    empty.append('h2').text('No waits ended here');
    empty.append('p').text(`No wait of ${formatDuration(model.at_least_ns)} or more ended in this range.`);
    return () => root.remove();
  }
  const ends = [drawPeaks(root, model, context), drawMoments(root, model, context)];
  return () => {
    for (const end of ends) end();
    root.remove();
  };
}

function panelWith(root: HTMLElement, title: string, aside: string): HTMLElement {
  const panel = root.appendChild(root.ownerDocument.createElement('section'));
  panel.className = 'panel';
  const header = d3.select(panel).append('header').attr('class', 'section-heading');
  header.append('h2').text(title);
  header.append('p').text(aside);
  return panel;
}

/** Shows the moment's greatest release in the wake chain, forward. */
function open(moment: Moment, context: Context): void {
  const { ts, dur, run_ts, run_tid, run_pid } = moment;
  if (run_ts === null || run_tid === null) return;
  const span = { start: ts, end: ts + dur };
  context.select({ span, thread: { tid: run_tid, ts: run_ts }, pid: run_pid });
  context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
  context.openView('wake-chain', { ts: run_ts, tid: run_tid, direction: 'forward' });
}

function drawPeaks(root: HTMLElement, model: ReleaseMomentsModel, context: Context): () => void {
  const panel = panelWith(
    root,
    'Waiting that ended, over time',
    `the greatest moment of ${formatDuration(model.bucket_ns)} in each step, on a log scale; waits of ${formatDuration(model.at_least_ns)} or more`,
  );
  drawLegend(panel, peakLegend(paletteOf(panel)));
  const tooltip = makeTooltip(root);
  let range = context.range;
  let dragged: TimeRange | null = null;
  const chart = peaksChart(
    model,
    () => range,
    () => dragged,
  );
  const label = 'How much waiting ended, over time. The table below holds the greatest moments.';
  const plot = livePlot(panel, label, PEAKS_MARGINS, chart);
  plot.element.style.height = '220px';
  const unfollow = context.onRange?.((next) => {
    range = next;
    plot.redraw();
  });
  const unbind = bindGestures({
    element: plot.element,
    area: () => ({
      left: PEAKS_MARGINS.left,
      width: Math.max(1, plot.element.clientWidth - PEAKS_MARGINS.left - PEAKS_MARGINS.right),
    }),
    range: () => range,
    bounds: () => context.trace.range,
    zoomTo: (next) => context.zoomTo(next),
    onDrag: (span) => {
      dragged = span;
      plot.redraw();
    },
    wheel: 'scrolls',
  });
  const stepUnder = (event: PointerEvent) => {
    const left = plot.element.getBoundingClientRect().left + PEAKS_MARGINS.left;
    const at = timeScale(range, plot.current()?.width ?? 1).invert(event.clientX - left);
    return model.peaks.find(({ ts, dur }) => ts <= at && at < ts + dur);
  };
  let pressedAt = 0;
  d3.select(plot.element)
    .on('pointerdown', (event: PointerEvent) => (pressedAt = event.clientX))
    .on('pointermove', (event: PointerEvent) => {
      const step = stepUnder(event);
      if (step === undefined || event.buttons !== 0) tooltip.hide();
      else {
        const more = step.at_least ? 'at least ' : '';
        tooltip.show(event, [
          `${more}${formatDuration(step.waited_sum_ns)} of waiting ended`,
          `in one moment of ${formatDuration(model.bucket_ns)}`,
        ]);
      }
    })
    .on('pointerleave', () => tooltip.hide())
    .on('click', (event: PointerEvent) => {
      const step = stepUnder(event);
      if (step === undefined || Math.abs(event.clientX - pressedAt) >= 4) return;
      const moment = model.moments.find(
        ({ ts }) => step.ts - model.bucket_ns < ts && ts < step.ts + step.dur,
      );
      if (moment !== undefined) open(moment, context);
    });
  return () => {
    unfollow?.();
    unbind();
    plot.end();
  };
}

function drawMoments(root: HTMLElement, model: ReleaseMomentsModel, context: Context): () => void {
  const shown = formatCount(model.moments.length);
  const panel = panelWith(
    root,
    'Greatest moments',
    `${shown} of ${formatCount(model.moment_count)}; choose one to see what was released`,
  );
  panel.style.setProperty('--table-height', '420px');
  return drawTable(panel, momentTable(model), {
    origin_ns: model.origin_ns,
    name: 'release-moments/moments',
    onChoose: (row) => {
      const moment = model.moments[row];
      if (moment !== undefined) open(moment, context);
    },
  });
}
