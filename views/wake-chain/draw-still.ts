import * as d3 from 'd3';
import type { ViewContext } from '../../shared/view/index.ts';
import { drawStillLegend, rangeAround, stillPalette, stillPlot } from '../kit/index.ts';
import { chainChart, chainHeight, CHAIN_MARGINS, chainSpan, stateLegend } from './chart.ts';
import type { Lanes } from './lanes.ts';
import type { WakeChainModel } from './model.ts';
import type { params } from './params.ts';
import { linkSentence, releaseSentence } from './sentences.ts';

const WIDTH = 1200;
const PADDING = 24;

/** Draws both chains as one SVG without measuring anything, each over the time that it takes. */
export function drawStill(
  container: HTMLElement,
  model: WakeChainModel,
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
  const chart = (lanes: Lanes, chosen: number | null) => {
    const span = chainSpan(lanes);
    if (span === null) return;
    const range = rangeAround(span, context.trace.range, 0.02);
    const box = { x: PADDING, y, width: WIDTH - 2 * PADDING, height: chainHeight(lanes) };
    const draw = chainChart(
      lanes,
      model.origin_ns,
      chosen,
      () => range,
      () => null,
    );
    stillPlot(root, box, CHAIN_MARGINS, draw);
    y += box.height + 16;
  };

  text('Wake chain', 20, stillPalette.text, 10);
  for (const note of model.notes) text(note, 12, stillPalette.series[0], 6);
  if (model.links.length === 0) text('No run to start from.', 13, stillPalette.text, 8);
  else {
    const legend = root.append('g').attr('transform', `translate(${PADDING},${y})`);
    drawStillLegend(legend, stateLegend(stillPalette), stillPalette.muted);
    y += 24;
    text('Who woke it', 15, stillPalette.text, 8);
    chart(model.backward, context.params.link);
    for (const link of model.links) text(linkSentence(link), 12, stillPalette.text, 5);
    if (model.stop !== null) text(model.stop.sentence, 12, stillPalette.muted, 16);
    text('What it released', 15, stillPalette.text, 4);
    text(releaseSentence(model), 12, stillPalette.text, 8);
    chart(model.forward, null);
  }
  y += PADDING;
  background.attr('height', y);
  root.attr('width', WIDTH).attr('height', y).attr('viewBox', `0 0 ${WIDTH} ${y}`);
  return () => root.remove();
}
