import * as d3 from 'd3';
import { formatCount, formatDuration } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  drawStillLegend,
  rangeAround,
  stillPalette,
  stillPlot,
  type Chart,
  type Margins,
} from '../kit/index.ts';
import {
  HISTOGRAM_MARGINS,
  LANES_MARGINS,
  lanesChart,
  lanesHeight,
  lengthsChart,
  standingLegend,
  waitLegend,
  WAITS_MARGINS,
  waitsChart,
} from './charts.ts';
import { footnotes } from './footnotes.ts';
import type { ReadyLatencyModel } from './model.ts';
import type { params } from './params.ts';
import { VERDICT_HEIGHT, VERDICT_MARGINS, verdictChart, verdictLegend } from './verdict-bar.ts';

const WIDTH = 1200;
const PADDING = 24;
const CHART_HEIGHT = 260;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: ReadyLatencyModel,
  context: ViewContext<typeof params>,
): () => void {
  const { meanwhile, total } = model;
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
  const chart = (left: number, width: number, height: number, margins: Margins, draw: Chart) =>
    stillPlot(root, { x: left, y, width, height }, margins, draw);

  text('Ready latency', 20, stillPalette.text, 10);
  for (const note of model.notes) text(note, 12, stillPalette.series[0], 6);
  text(
    `${formatCount(total.count)} ready waits: p50 ${formatDuration(total.p50_ns)}, p90 ${formatDuration(
      total.p90_ns,
    )}, p99 ${formatDuration(total.p99_ns)}, sum above it ${formatDuration(total.above_p99_ns)}, longest ${formatDuration(total.max_ns)}, all together ${formatDuration(
      total.sum_ns,
    )}`,
    13,
    stillPalette.text,
    8,
  );
  for (const line of footnotes(model)) text(line, 12, stillPalette.muted, 8);
  y += 6;
  const legendAt = () => root.append('g').attr('transform', `translate(${PADDING},${y})`);
  if (total.count > 0) {
    drawStillLegend(legendAt(), waitLegend(stillPalette), stillPalette.muted);
    y += 18;
    const chosen =
      meanwhile === null ? null : { start: meanwhile.wait.ts, end: meanwhile.wait.ts + meanwhile.wait.dur };
    const range = () => context.range;
    const waits = waitsChart(model, range, chosen, () => null);
    chart(PADDING, 720, CHART_HEIGHT, WAITS_MARGINS, waits);
    chart(PADDING + 740, WIDTH - 2 * PADDING - 740, CHART_HEIGHT, HISTOGRAM_MARGINS, lengthsChart(model));
    y += CHART_HEIGHT + 16;
  }
  if (meanwhile !== null) {
    for (const sentence of meanwhile.sentences) text(sentence, 13, stillPalette.text, 7);
    y += 8;
    drawStillLegend(legendAt(), verdictLegend(stillPalette, meanwhile), stillPalette.muted);
    y += 18;
    chart(PADDING, WIDTH - 2 * PADDING, VERDICT_HEIGHT, VERDICT_MARGINS, verdictChart(meanwhile));
    y += VERDICT_HEIGHT + 6;
    drawStillLegend(legendAt(), standingLegend(stillPalette, meanwhile), stillPalette.muted);
    y += 22;
    const { ts, dur } = meanwhile.wait;
    const aroundWait = rangeAround({ start: ts, end: ts + dur }, context.trace.range, 0.02);
    const lanes = lanesChart(
      meanwhile,
      model.origin_ns,
      () => aroundWait,
      () => null,
    );
    const height = lanesHeight(meanwhile.cpu_count);
    chart(PADDING, WIDTH - 2 * PADDING, height, LANES_MARGINS, lanes);
    y += height;
  }
  y += PADDING;
  background.attr('height', y);
  root.attr('width', WIDTH).attr('height', y).attr('viewBox', `0 0 ${WIDTH} ${y}`);
  return () => root.remove();
}
