import type { ViewContext } from '../../shared/view/index.ts';
import { stillPalette, StillPage } from '../kit/index.ts';
import {
  growthChart,
  growthLegend,
  liveChart,
  liveLegend,
  MARGINS,
  ratesChart,
  ratesLegend,
} from './chart.ts';
import type { ThreadsModel } from './model.ts';
import type { params } from './params.ts';
import { growthSentences } from './words.ts';

/** Entries of the legend in a row. */
const LEGEND_ROW = 4;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: ThreadsModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Threads and growth', model.notes);
  const growth = model.chosen === null ? undefined : model.growths[model.chosen];
  if (growth !== undefined) {
    for (const sentence of growthSentences(growth)) page.text(sentence, { size: 13 });
    page.legend(growthLegend(stillPalette, growth));
    page.chart(280, MARGINS, growthChart(growth));
  }
  if (model.lines.length === 0) {
    if (model.unrecorded === null) page.text('No such process has a thread in this range.', { size: 13 });
  } else {
    const legend = liveLegend(stillPalette, model);
    for (let at = 0; at < legend.length; at += LEGEND_ROW) page.legend(legend.slice(at, at + LEGEND_ROW), 20);
    page.timeChart(240, MARGINS, liveChart(model), context);
    page.legend(ratesLegend(stillPalette));
    page.timeChart(150, MARGINS, ratesChart(model), context);
  }
  return page.finish();
}
