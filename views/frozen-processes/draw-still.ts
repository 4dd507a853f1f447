import * as d3 from 'd3';
import type { ViewContext } from '../../shared/view/index.ts';
import { drawStillLegend, stillPalette, stillPlot } from '../kit/index.ts';
import { freezeChart, freezeLegend, lanesHeight, MARGINS } from './chart.ts';
import { freezesOf, type FrozenProcessesModel } from './model.ts';
import type { params } from './params.ts';
import { frozenWords, meanwhileWords, processWords, summary, threadWords } from './words.ts';

const WIDTH = 1200;
const PADDING = 24;
/** How many freezes a still tells of in words. */
const TOLD = 12;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: FrozenProcessesModel,
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
  text('Frozen processes', 20, stillPalette.text, 10);
  for (const note of model.notes) text(note, 12, stillPalette.series[0], 6);
  text(summary(model), 13, stillPalette.text, 14);
  if (model.lanes.length > 0) {
    const legend = root.append('g').attr('transform', `translate(${PADDING},${y})`);
    drawStillLegend(legend, freezeLegend(stillPalette), stillPalette.muted);
    y += 22;
    const chart = freezeChart(
      model,
      () => context.range,
      context.selection.span,
      () => null,
    );
    const height = lanesHeight(model);
    stillPlot(root, { x: PADDING, y, width: WIDTH - 2 * PADDING, height }, MARGINS, chart);
    y += height + 8;
    for (const freeze of freezesOf(model).slice(0, TOLD)) {
      const by = freeze.frozen_by === null ? '' : ` Frozen by ${threadWords(freeze.frozen_by)}.`;
      const what = `${processWords(freeze)} ${frozenWords(freeze, model.origin_ns)}.${by}`;
      text(what, 12, stillPalette.text, 4);
      const meanwhile = meanwhileWords(freeze, model.origin_ns);
      if (meanwhile !== '') text(meanwhile, 12, stillPalette.muted, 8);
    }
  }
  y += PADDING;
  background.attr('height', y);
  root.attr('width', WIDTH).attr('height', y).attr('viewBox', `0 0 ${WIDTH} ${y}`);
  return () => root.remove();
}
