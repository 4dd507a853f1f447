import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { stillPalette, StillPage } from '../kit/index.ts';
import { peakLegend, PEAKS_MARGINS, peaksChart } from './chart.ts';
import type { Moment, ReleaseMomentsModel } from './model.ts';
import type { params } from './params.ts';

const CHART_HEIGHT = 300;
/** How many moments a still tells of in words. */
const TOLD = 10;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: ReleaseMomentsModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Release moments', model.notes);
  if (model.moments.length === 0) {
    if (model.unrecorded === null) page.text('No waits ended here.', { size: 13 });
  } else {
    page.legend(peakLegend(stillPalette), 24);
    page.timeChart(CHART_HEIGHT, PEAKS_MARGINS, peaksChart(model), context);
    page.space(8);
    page.text(`Waits of ${formatDuration(model.at_least_ns)} or more are counted.`, {
      color: stillPalette.muted,
    });
    for (const moment of model.moments.slice(0, TOLD)) {
      page.text(momentSentence(moment, model.origin_ns), { gap: 5 });
    }
  }
  return page.finish();
}

function momentSentence(moment: Moment, origin_ns: number): string {
  const { ts, at_least, waited_sum_ns, threads, processes, released_by, begun_by } = moment;
  const begun = begun_by === released_by ? '' : `, begun by ${begun_by}`;
  const more = at_least ? 'at least ' : '';
  const who = `${formatCount(threads)} ${threads === 1 ? 'thread' : 'threads'} of ${formatCount(processes)} ${processes === 1 ? 'process' : 'processes'}`;
  return `${formatTime(ts, origin_ns)}: ${more}${formatDuration(waited_sum_ns)} of waiting of ${who} ended, most of it by ${released_by}${begun}.`;
}
