import type { ViewContext } from '../../shared/view/index.ts';
import { rangeAround, stillPalette, StillPage } from '../kit/index.ts';
import { chainChart, chainHeight, CHAIN_MARGINS, chainSpan, stateLegend } from './chart.ts';
import type { Lanes } from './lanes.ts';
import type { WakeChainModel } from './model.ts';
import type { params } from './params.ts';
import { linkSentence, longestSentence, releaseSentence } from './sentences.ts';

/** Draws both chains as one SVG without measuring anything, each over the time that it takes. */
export function drawStill(
  container: HTMLElement,
  model: WakeChainModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Wake chain', model.notes);
  const chart = (lanes: Lanes, chosen: number | null) => {
    const span = chainSpan(lanes);
    if (span === null) return;
    const range = rangeAround(span, context.trace.range, 0.02);
    const draw = chainChart(lanes, model.origin_ns, chosen);
    page.chart(chainHeight(lanes), CHAIN_MARGINS, (plot) => draw(plot, range));
    page.space(16);
  };

  if (model.links.length === 0) {
    if (model.unrecorded === null) page.text('No run to start from.', { size: 13 });
  } else {
    page.text(longestSentence(model) ?? '', { size: 13, gap: 12 });
    page.legend(stateLegend(stillPalette), 24);
    page.text('Who woke it', { size: 15 });
    chart(model.backward, context.params.link);
    for (const link of model.links) page.text(linkSentence(link), { gap: 5 });
    if (model.stop !== null) page.text(model.stop.sentence, { color: stillPalette.muted, gap: 16 });
    page.text('What it released', { size: 15, gap: 4 });
    page.text(releaseSentence(model));
    chart(model.forward, null);
  }
  return page.finish();
}
