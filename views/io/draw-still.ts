import { formatDuration, formatTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  HISTOGRAM_MARGINS,
  STILL_WIDTH,
  stepChart,
  stepLegend,
  stillPalette,
  StillPage,
} from '../kit/index.ts';
import {
  durationsChart,
  iosChart,
  iosLegend,
  IOS_MARGINS,
  RATE_MARGINS,
  ratesChart,
  type Measure,
} from './chart.ts';
import type { IoModel } from './model.ts';
import type { params } from './params.ts';
import { othersWords, processWords, sizeWords, summaryWords, waitWords } from './words.ts';

const CHART_HEIGHT = 240;
/** I/Os that are told of in words, and letters of a path. */
const TOLD = 12;
const PATH_LETTERS = 90;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: IoModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Disk and file I/O', model.notes);
  page.text(summaryWords(model), { size: 13, gap: 14 });
  if (model.summary.count > 0) {
    const rates = ratesChart(model, context.params.measure as Measure);
    page.legend(stepLegend(stillPalette, rates));
    page.timeChart(CHART_HEIGHT, RATE_MARGINS, stepChart(rates), context);
  }
  if (model.histogram.length > 0) {
    page.text('Longest, over time (log scale)', { size: 14, gap: 12 });
    page.legend(iosLegend(stillPalette, model));
    page.timeChart(CHART_HEIGHT, IOS_MARGINS, iosChart(model), context);
    page.text('All by duration (both scales logarithmic)', { size: 14, gap: 6 });
    page.charts(CHART_HEIGHT, [
      { width: STILL_WIDTH, margins: HISTOGRAM_MARGINS, draw: durationsChart(model) },
    ]);
    page.space(10);
  }
  model.ios.slice(0, TOLD).forEach((io, row) => {
    const took = io.dur === null ? '' : ` in ${formatDuration(io.dur)}`;
    page.text(
      `${formatTime(io.ts, model.origin_ns)}  ${io.kind}${sizeWords(io)}${took}: ${shortPath(io.path)}, ${processWords(io)}`,
      { size: 11, gap: 4 },
    );
    const wait = model.waits?.[row] ?? null;
    const others = model.others?.[row] ?? null;
    for (const words of [
      wait === null ? [] : waitWords(wait),
      others === null ? [] : othersWords(others),
    ].flat()) {
      page.text(words, { size: 11, color: stillPalette.muted, gap: 6 });
    }
  });
  return page.finish();
}

/** The end of a long path tells more than its start. */
function shortPath(path: string | null): string {
  if (path === null) return 'a file without a name';
  return path.length > PATH_LETTERS ? `…${path.slice(1 - PATH_LETTERS)}` : path;
}
