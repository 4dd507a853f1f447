import type { ViewContext } from '../../shared/view/index.ts';
import { StillPage } from '../kit/index.ts';
import { flameChart, flameHeight } from './flame-chart.ts';
import { lookOf, MARGINS } from './flame-panel.ts';
import { layOut } from './layout.ts';
import type { CpuSampledModel } from './model.ts';
import type { params } from './params.ts';
import { loopSentence, summary } from './words.ts';

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: CpuSampledModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'CPU usage, sampled', model.notes);
  const parts = summary(model).map(([name, value]) => `${name} ${value}`);
  page.text(parts.join(', '), { size: 13, gap: 14 });
  for (const loop of model.hot_loops) page.text(loopSentence(loop), { size: 13 });
  if (model.samples > 0) {
    const boxes = layOut(model.root, context.params.zoom);
    const height = flameHeight(boxes) + MARGINS.top + MARGINS.bottom;
    page.chart(height, MARGINS, flameChart(boxes, lookOf(context.params)));
  }
  return page.finish();
}
