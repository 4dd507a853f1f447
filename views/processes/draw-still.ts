import { formatCount } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { stillLaneChart, stillPalette, StillPage } from '../kit/index.ts';
import {
  exitingChart,
  exitingLegend,
  EXITING_MARGINS,
  lifeChart,
  ratesChart,
  ratesLegend,
  RATES_MARGINS,
} from './chart.ts';
import type { ProcessesModel } from './model.ts';
import type { params } from './params.ts';
import { exitSentences, summary } from './words.ts';

/** How many lifetimes a still shows. */
const LIVES = 60;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: ProcessesModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Processes', model.notes);
  if (model.unrecorded !== null) return page.finish();
  page.text(summary(model), { size: 13 });
  for (const sentence of exitSentences(model)) page.text(sentence, { gap: 6 });
  if (model.steps.some(({ created, ended }) => created + ended > 0)) {
    page.legend(ratesLegend(stillPalette));
    page.timeChart(180, RATES_MARGINS, ratesChart(model), context);
    page.legend(exitingLegend(stillPalette));
    page.timeChart(120, EXITING_MARGINS, exitingChart(model), context);
  }
  const lives = model.processes.slice(0, LIVES);
  if (lives.length > 0) stillLaneChart(page, lifeChart(lives, model), context);
  if (lives.length < model.processes.length) {
    page.text(
      `Lifetimes of the first ${formatCount(lives.length)} of ${formatCount(model.processes.length)}.`,
      {
        color: stillPalette.muted,
      },
    );
  }
  return page.finish();
}
