import type { ViewContext } from '../../shared/view/index.ts';
import { stillLaneChart, StillPage } from '../kit/index.ts';
import { rankChart } from './chart.ts';
import type { RankHistoryModel } from './model.ts';
import type { params } from './params.ts';
import { summary } from './summary.ts';

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: RankHistoryModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Rank history', model.notes);
  page.text(summary(model), { size: 13, gap: 14 });
  if (model.lanes.length > 0) stillLaneChart(page, rankChart(model), context);
  return page.finish();
}
