import * as d3 from 'd3';
import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { drawStillLegend, stillPalette, stillPlot } from '../kit/index.ts';
import { peakLegend, PEAKS_MARGINS, peaksChart } from './chart.ts';
import type { Moment, ReleaseMomentsModel } from './model.ts';
import type { params } from './params.ts';

const WIDTH = 1200;
const PADDING = 24;
const CHART_HEIGHT = 300;
/** How many moments a still tells of in words. */
const TOLD = 10;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: ReleaseMomentsModel,
  context: ViewContext<typeof params>,
): () => void {
  const root = d3
    .select(container)
    .append('svg')
    .attr('xmlns', 'http://www.w3.org/2000/svg')
    .attr('font-family', 'Inter, Segoe UI, system-ui, sans-serif')
    .attr('font-size', 12);
  const background = root.append('rect').attr('fill', stillPalette.background).attr('width', WIDTH);
  let y = PADDING;
  const text = (content: string, size: number, color: string, gap: number) => {
    y += size;
    root
      .append('text')
      .attr('x', PADDING)
      .attr('y', y)
      .attr('font-size', size)
      .attr('fill', color)
      .text(content);
    y += gap;
  };
  text('Release moments', 20, stillPalette.text, 10);
  for (const note of model.notes) text(note, 12, stillPalette.series[0], 6);
  if (model.moments.length === 0) text('No waits ended here.', 13, stillPalette.text, 8);
  else {
    const legend = root.append('g').attr('transform', `translate(${PADDING},${y})`);
    drawStillLegend(legend, peakLegend(stillPalette), stillPalette.muted);
    y += 24;
    const chart = peaksChart(
      model,
      () => context.range,
      () => null,
    );
    const box = { x: PADDING, y, width: WIDTH - 2 * PADDING, height: CHART_HEIGHT };
    stillPlot(root, box, PEAKS_MARGINS, chart);
    y += CHART_HEIGHT + 8;
    text(`Waits of ${formatDuration(model.at_least_ns)} or more are counted.`, 12, stillPalette.muted, 8);
    for (const moment of model.moments.slice(0, TOLD)) {
      text(momentSentence(moment, model.origin_ns), 12, stillPalette.text, 5);
    }
  }
  y += PADDING;
  background.attr('height', y);
  root.attr('width', WIDTH).attr('height', y).attr('viewBox', `0 0 ${WIDTH} ${y}`);
  return () => root.remove();
}

function momentSentence(moment: Moment, origin_ns: number): string {
  const { ts, at_least, waited_sum_ns, threads, processes, released_by } = moment;
  const more = at_least ? 'at least ' : '';
  const who = `${formatCount(threads)} ${threads === 1 ? 'thread' : 'threads'} of ${formatCount(processes)} ${processes === 1 ? 'process' : 'processes'}`;
  return `${formatTime(ts, origin_ns)}: ${more}${formatDuration(waited_sum_ns)} of waiting of ${who} ended, most of it by ${released_by}.`;
}
