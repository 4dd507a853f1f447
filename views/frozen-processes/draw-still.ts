import type { ViewContext } from '../../shared/view/index.ts';
import { stillLaneChart, stillPalette, StillPage } from '../kit/index.ts';
import { freezeChart } from './chart.ts';
import { freezesOf, type FrozenProcessesModel } from './model.ts';
import type { params } from './params.ts';
import { frozenWords, meanwhileWords, processWords, summary, threadWords } from './words.ts';

/** How many freezes a still tells of in words. */
const TOLD = 12;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: FrozenProcessesModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Frozen processes', model.notes);
  page.text(summary(model), { size: 13, gap: 14 });
  if (model.lanes.length > 0) {
    stillLaneChart(page, freezeChart(model), context);
    page.space(8);
    for (const freeze of freezesOf(model).slice(0, TOLD)) {
      const by = freeze.frozen_by === null ? '' : ` Frozen by ${threadWords(freeze.frozen_by)}.`;
      const what = `${processWords(freeze)} ${frozenWords(freeze, model.origin_ns)}.${by}`;
      page.text(what, { gap: 4 });
      const meanwhile = meanwhileWords(freeze, model.origin_ns);
      if (meanwhile !== '') page.text(meanwhile, { color: stillPalette.muted });
    }
  }
  return page.finish();
}
