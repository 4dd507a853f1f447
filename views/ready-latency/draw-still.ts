import { formatCount, formatDuration } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  HISTOGRAM_MARGINS,
  drawShade,
  rangeAround,
  STILL_WIDTH,
  stillPalette,
  StillPage,
  type Chart,
} from '../kit/index.ts';
import {
  LANES_MARGINS,
  lanesChart,
  lanesHeight,
  lengthsChart,
  standingLegend,
  waitLegend,
  WAITS_MARGINS,
  waitsChart,
} from './charts.ts';
import { footnotes } from './footnotes.ts';
import type { ReadyLatencyModel } from './model.ts';
import type { params } from './params.ts';
import { VERDICT_HEIGHT, VERDICT_MARGINS, verdictChart, verdictLegend } from './verdict-bar.ts';

const CHART_HEIGHT = 260;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: ReadyLatencyModel,
  context: ViewContext<typeof params>,
): () => void {
  const { meanwhile, total } = model;
  const page = new StillPage(container, 'Ready latency', model.notes);
  page.text(
    `${formatCount(total.count)} ready waits: p50 ${formatDuration(total.p50_ns)}, p90 ${formatDuration(
      total.p90_ns,
    )}, p99 ${formatDuration(total.p99_ns)}, sum above it ${formatDuration(total.above_p99_ns)}, longest ${formatDuration(total.max_ns)}, all together ${formatDuration(
      total.sum_ns,
    )}`,
    { size: 13 },
  );
  for (const line of footnotes(model)) page.text(line, { color: stillPalette.muted });
  page.space(6);
  if (total.count > 0) {
    page.legend(waitLegend(stillPalette), 18);
    const chosen =
      meanwhile === null ? null : { start: meanwhile.wait.ts, end: meanwhile.wait.ts + meanwhile.wait.dur };
    const waits = waitsChart(model);
    const draw: Chart = (plot) => {
      waits(plot, context.range);
      if (chosen !== null) drawShade(plot, context.range, chosen);
    };
    page.charts(CHART_HEIGHT, [
      { width: 720, margins: WAITS_MARGINS, draw },
      { width: STILL_WIDTH - 740, margins: HISTOGRAM_MARGINS, draw: lengthsChart(model) },
    ]);
    page.space(16);
  }
  if (meanwhile !== null) {
    for (const sentence of meanwhile.sentences) page.text(sentence, { size: 13, gap: 7 });
    page.space(8);
    page.legend(verdictLegend(stillPalette, meanwhile), 18);
    page.chart(VERDICT_HEIGHT, VERDICT_MARGINS, verdictChart(meanwhile));
    page.space(6);
    page.legend(standingLegend(stillPalette, meanwhile));
    const { ts, dur } = meanwhile.wait;
    const aroundWait = rangeAround({ start: ts, end: ts + dur }, context.trace.range, 0.02);
    const lanes = lanesChart(meanwhile, model.origin_ns);
    page.chart(lanesHeight(meanwhile.cpu_count), LANES_MARGINS, (plot) => lanes(plot, aroundWait));
  }
  return page.finish();
}
