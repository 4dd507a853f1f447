import * as d3 from 'd3';
import type { ViewContext } from '../../shared/view/index.ts';
import { drawStillLegend, stillPalette, stillPlot } from '../kit/index.ts';
import { focusChart, focusLegend, lanesHeight, MARGINS } from './chart.ts';
import type { FocusAndInputModel } from './model.ts';
import type { params } from './params.ts';
import { summary } from './words.ts';

const WIDTH = 1200;
const PADDING = 24;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: FocusAndInputModel,
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
  text('Focus and input', 20, stillPalette.text, 10);
  for (const note of model.notes) text(note, 12, stillPalette.series[0], 6);
  text(summary(model), 13, stillPalette.text, 14);
  if (model.lanes.length > 0 || model.inputs.length > 0) {
    const legend = root.append('g').attr('transform', `translate(${PADDING},${y})`);
    drawStillLegend(legend, focusLegend(stillPalette), stillPalette.muted);
    y += 22;
    const chart = focusChart(
      model,
      () => context.range,
      () => context.selection.span,
      () => null,
    );
    const height = lanesHeight(model);
    stillPlot(root, { x: PADDING, y, width: WIDTH - 2 * PADDING, height }, MARGINS, chart);
    y += height;
  }
  y += PADDING;
  background.attr('height', y);
  root.attr('width', WIDTH).attr('height', y).attr('viewBox', `0 0 ${WIDTH} ${y}`);
  return () => root.remove();
}
