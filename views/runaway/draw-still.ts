import { formatCpuTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { stillPalette, StillPage } from '../kit/index.ts';
import { MARGINS, runawayChart, runawayLegend } from './chart.ts';
import type { RunawayModel } from './model.ts';
import type { params } from './params.ts';

const CHART_HEIGHT = 360;
/** Entries of the legend in a row. */
const LEGEND_ROW = 4;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: RunawayModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Runaway threads', model.notes);
  const [first] = model.threads;
  if (first !== undefined) {
    page.text(`${first.label} ran for ${formatCpuTime(first.ran_ns)}.`, { size: 13, gap: 14 });
    const legend = runawayLegend(stillPalette, model);
    for (let at = 0; at < legend.length; at += LEGEND_ROW) page.legend(legend.slice(at, at + LEGEND_ROW), 20);
    page.timeChart(CHART_HEIGHT, MARGINS, runawayChart(model), context);
  }
  return page.finish();
}
