import { formatCount, formatDuration } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  drawLegend,
  drawTable,
  drawUnrecorded,
  endAll,
  makeTooltip,
  paletteOf,
  rangeAround,
  timePlot,
} from '../kit/index.ts';
import { peakLegend, PEAKS_MARGINS, peaksChart } from './chart.ts';
import type { Moment, ReleaseMomentsModel, StepPeak } from './model.ts';
import type { params } from './params.ts';
import { momentTable } from './tables.ts';

type Context = ViewContext<typeof params>;

/** Margin around a chosen moment, in times its length. */
const ZOOM_MARGIN = 10;

/** Draws the view into a window. Returns what undoes it. */
export function drawReleaseMoments(
  container: HTMLElement,
  model: ReleaseMomentsModel,
  context: Context,
): () => void {
  const unrecorded = drawUnrecorded(container, model.unrecorded);
  if (unrecorded !== null) return unrecorded;
  addNotes(container, model.notes);
  if (model.moments.length === 0) {
    const length = formatDuration(model.at_least_ns);
    addEmpty(container, 'No waits ended here', `No wait of ${length} or more ended in this range.`);
    return endAll([], container);
  }
  const ends = [drawPeaks(container, model, context), drawMoments(container, model, context)];
  return endAll(ends, container);
}

/** Shows the moment's greatest release in the wake chain, forward. */
function open(moment: Moment, context: Context): void {
  const { ts, dur, run_ts, run_tid, run_pid } = moment;
  if (run_ts === null || run_tid === null) return;
  const span = { start: ts, end: ts + dur };
  context.select({ span, thread: { tid: run_tid, ts: run_ts }, pid: run_pid });
  context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
  context.openView('wake-chain', { ts: run_ts, tid: run_tid, direction: 'forward' });
}

function drawPeaks(container: HTMLElement, model: ReleaseMomentsModel, context: Context): () => void {
  const moment_ns = formatDuration(model.bucket_ns);
  const panel = addPanel(
    container,
    'Waiting that ended, over time',
    `the greatest moment of ${moment_ns} in each step, on a log scale; waits of ${formatDuration(model.at_least_ns)} or more`,
  );
  drawLegend(panel, peakLegend(paletteOf(panel)));
  const greatestIn = ({ ts, dur }: StepPeak) =>
    model.moments.find((moment) => ts - model.bucket_ns < moment.ts && moment.ts < ts + dur);
  return timePlot(panel, context, {
    label: 'How much waiting ended, over time. The table below holds the greatest moments.',
    margins: PEAKS_MARGINS,
    height_px: 220,
    draw: peaksChart(model),
    events: {
      tooltip: makeTooltip(panel),
      at: ({ ts: at }) => model.peaks.find(({ ts, dur }) => ts <= at && at < ts + dur) ?? null,
      lines: ({ at_least, waited_sum_ns }) => [
        `${at_least ? 'at least ' : ''}${formatDuration(waited_sum_ns)} of waiting ended`,
        `in one moment of ${moment_ns}`,
      ],
      choose: (peak) => {
        const moment = greatestIn(peak);
        if (moment !== undefined) open(moment, context);
      },
      mark: (peak) => ({
        ts: greatestIn(peak)?.ts ?? peak.ts,
        label: `${formatDuration(peak.waited_sum_ns)} of waiting ended`,
      }),
    },
  });
}

function drawMoments(container: HTMLElement, model: ReleaseMomentsModel, context: Context): () => void {
  const shown = formatCount(model.moments.length);
  const panel = addPanel(
    container,
    'Greatest moments',
    `${shown} of ${formatCount(model.moment_count)}; choose one to see what was released`,
  );
  panel.style.setProperty('--table-height', '420px');
  return drawTable(panel, momentTable(model), {
    origin_ns: model.origin_ns,
    context,
    name: 'release-moments/moments',
    onChoose: (row) => {
      const moment = model.moments[row];
      if (moment !== undefined) open(moment, context);
    },
  });
}
