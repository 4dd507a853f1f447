import type { ViewContext } from '../../shared/view/index.ts';
import { stillLaneChart, StillPage } from '../kit/index.ts';
import { focusChart } from './chart.ts';
import type { FocusAndInputModel } from './model.ts';
import type { params } from './params.ts';
import { summary } from './words.ts';

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: FocusAndInputModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Focus and input', model.notes);
  page.text(summary(model), { size: 13, gap: 14 });
  if (model.lanes.length > 0 || model.inputs.length > 0) {
    stillLaneChart(page, focusChart(model), context);
  }
  return page.finish();
}
