import { formatCount } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { STEP_MARGINS, stepChart, stepLegend, stillPalette, StillPage } from '../kit/index.ts';
import { ratesChart } from './chart.ts';
import type { SwitchesModel, SwitchPair } from './model.ts';
import type { params } from './params.ts';
import { formatRate, judgement, summary } from './summary.ts';

const CHART_HEIGHT = 340;
/** Entries of the legend in a row. */
const LEGEND_ROW = 4;
/** Pairs that are written out. */
const PAIRS = 5;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: SwitchesModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Context switches', model.notes);
  if (model.unrecorded !== null) return page.finish();
  page.text(
    summary(model)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    { size: 13, gap: 10 },
  );
  for (const line of judgement(model)) page.text(line);
  const chart = ratesChart(model);
  const legend = stepLegend(stillPalette, chart);
  for (let at = 0; at < legend.length; at += LEGEND_ROW) page.legend(legend.slice(at, at + LEGEND_ROW), 20);
  page.timeChart(CHART_HEIGHT, STEP_MARGINS, stepChart(chart), context);
  for (const pair of model.pairs?.pairs.slice(0, PAIRS) ?? []) page.text(pairWords(pair));
  return page.finish();
}

function pairWords({ a, b, per_s, ...counts }: SwitchPair): string {
  const wakes = `${formatCount(counts.wakes_there)} and ${formatCount(counts.wakes_back)} wakes`;
  const switches = `${formatCount(counts.switches_there)} and ${formatCount(counts.switches_back)} switches`;
  return `${a.label} ⇄ ${b.label}: ${formatRate(per_s)}, ${wakes}, ${switches}`;
}
