import * as d3 from 'd3';
import type { ViewContext } from '../../shared/view/index.ts';
import { drawStillLegend, stillPalette, stillPlot } from '../kit/index.ts';
import { MARGINS, usageChart } from './chart.ts';
import { usageLegend } from './colors.ts';
import { isUnknown, summary } from './summary.ts';
import type { CpuUsageModel } from './model.ts';
import type { params } from './params.ts';

const WIDTH = 1200;
const PADDING = 24;
const CHART_HEIGHT = 360;
/** Entries of the legend in a row. */
const LEGEND_ROW = 5;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: CpuUsageModel,
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
  text('CPU usage', 20, stillPalette.text, 10);
  for (const note of model.notes) text(note, 12, stillPalette.series[0], 6);
  const parts = summary(model).map(([name, value]) => `${name} ${value}`);
  text(parts.join(', '), 13, stillPalette.text, 14);
  if (!isUnknown(model)) {
    const legend = usageLegend(stillPalette, model);
    for (let first = 0; first < legend.length; first += LEGEND_ROW) {
      const row = root.append('g').attr('transform', `translate(${PADDING},${y})`);
      drawStillLegend(row, legend.slice(first, first + LEGEND_ROW), stillPalette.muted);
      y += 20;
    }
    const chart = usageChart(
      model,
      () => context.range,
      context.selection.span,
      () => null,
    );
    stillPlot(root, { x: PADDING, y, width: WIDTH - 2 * PADDING, height: CHART_HEIGHT }, MARGINS, chart);
    y += CHART_HEIGHT;
  }
  y += PADDING;
  background.attr('height', y);
  root.attr('width', WIDTH).attr('height', y).attr('viewBox', `0 0 ${WIDTH} ${y}`);
  return () => root.remove();
}
