import { formatCount, formatTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { STEP_MARGINS, StillPage, fitted, stepChart, stepLegend, stillPalette } from '../kit/index.ts';
import { countsChart } from './chart.ts';
import { fieldsText } from './fields.ts';
import type { EventsModel } from './model.ts';
import type { params } from './params.ts';

const CHART_HEIGHT = 300;
/** Entries of the legend in a row. */
const LEGEND_ROW = 2;
/** Events that are written out, and letters of a line. */
const EVENTS = 20;
const LINE_LETTERS = 170;

/** Draws the view as one SVG without measuring anything. */
export function drawStill(
  container: HTMLElement,
  model: EventsModel,
  context: ViewContext<typeof params>,
): () => void {
  const page = new StillPage(container, 'Generic events', model.notes);
  if (model.unrecorded !== null) return page.finish();
  page.text(`${formatCount(model.count)} events of ${formatCount(model.kinds.length)} kinds`, { size: 13 });
  const chart = countsChart(model);
  const legend = stepLegend(stillPalette, chart);
  for (let at = 0; at < legend.length; at += LEGEND_ROW) page.legend(legend.slice(at, at + LEGEND_ROW), 20);
  page.timeChart(CHART_HEIGHT, STEP_MARGINS, stepChart(chart), context);
  for (const { ts, provider, event, fields } of model.events.slice(0, EVENTS)) {
    const line = `${formatTime(ts, model.origin_ns)}  ${provider}/${event}: ${fieldsText(fields)}`;
    page.text(fitted(line, LINE_LETTERS), {
      size: 11,
      gap: 5,
    });
  }
  return page.finish();
}
