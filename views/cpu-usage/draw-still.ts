import type { ViewContext } from '../../shared/view/index.ts';
import { stillPalette, StillPage } from '../kit/index.ts';
import { MARGINS, usageChart } from './chart.ts';
import { usageLegend } from './colors.ts';
import { isUnknown, summary } from './summary.ts';
import type { CpuUsageModel } from './model.ts';
import type { params } from './params.ts';

const CHART_HEIGHT = 360;
/** Entries of the legend in a row. */
const LEGEND_ROW = 5;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: CpuUsageModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'CPU usage', model.notes);
  const parts = summary(model).map(([name, value]) => `${name} ${value}`);
  page.text(parts.join(', '), { size: 13, gap: 14 });
  if (!isUnknown(model)) {
    const legend = usageLegend(stillPalette, model);
    for (let first = 0; first < legend.length; first += LEGEND_ROW) {
      page.legend(legend.slice(first, first + LEGEND_ROW), 20);
    }
    page.timeChart(CHART_HEIGHT, MARGINS, usageChart(model), context);
  }
  return page.finish();
}
