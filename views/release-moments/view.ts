import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import type { Moment, StepPeak } from '../../shared/releases/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  empty,
  pageView,
  panel,
  rangeAround,
  stillLines,
  table,
  timePicture,
  type Block,
  type Page,
  rowChoice,
} from '../kit/index.ts';
import { peakLegend, PEAKS_MARGINS, peaksChart } from './chart.ts';
import { loadReleaseMoments } from './load.ts';
import type { ReleaseMomentsModel } from './model.ts';
import { params, recording } from './params.ts';
import { momentTable, releaseMomentsTables } from './tables.ts';
import sql from './query.sql';

/** Margin around a chosen moment, in times its length. */
const ZOOM_MARGIN = 10;
/** How many moments a still puts in words. */
const STILL_MOMENTS = 10;

/** At which instants did most waiting end, and who ended it? */
export const releaseMoments = pageView({
  id: 'release-moments',
  title: 'Release moments',
  question: 'At which instants did most waiting end, and who ended it?',
  sql,
  params,
  modules: ['etw.ready_wait'],
  recording,
  load: loadReleaseMoments,
  tables: releaseMomentsTables,
  page,
});

function page(model: ReleaseMomentsModel, context: ViewContext<typeof params>): Page {
  const { moments, moment_count, at_least_ns, origin_ns } = model;
  if (moments.length === 0) {
    const length = formatDuration(at_least_ns);
    return [empty('No waits ended here', `No wait of ${length} or more ended in this range.`)];
  }
  /** Shows the moment's greatest release in the wake chain, forward. */
  const open = ({ ts, dur, run_ts, run_tid, run_pid }: Moment) => {
    if (run_ts === null || run_tid === null) return;
    const span = { start: ts, end: ts + dur };
    context.select({ span, thread: { tid: run_tid, ts: run_ts }, pid: run_pid });
    context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
    context.openView('wake-chain', { ts: run_ts, tid: run_tid, direction: 'forward' });
  };
  const shown = `${formatCount(moments.length)} of ${formatCount(moment_count)}`;
  return [
    peaksPanel(model, open),
    panel(
      'Greatest moments',
      `${shown}; choose one to see what was released`,
      [
        table(momentTable(model), { choose: rowChoice(moments, open) }),
        stillLines(
          moments.slice(0, STILL_MOMENTS).map((moment) => ({ text: momentSentence(moment, origin_ns) })),
        ),
      ],
      { table_px: 420 },
    ),
  ];
}

function peaksPanel(model: ReleaseMomentsModel, open: (moment: Moment) => void): Block {
  const moment_ns = formatDuration(model.bucket_ns);
  const least = formatDuration(model.at_least_ns);
  const greatestIn = ({ ts, dur }: StepPeak) =>
    model.moments.find((moment) => ts - model.bucket_ns < moment.ts && moment.ts < ts + dur);
  return panel(
    'Waiting that ended, over time',
    `the greatest moment of ${moment_ns} in each step, on a log scale; waits of ${least} or more`,
    [
      timePicture({
        label: 'How much waiting ended, over time. The table below holds the greatest moments.',
        height_px: 220,
        still_px: 300,
        margins: PEAKS_MARGINS,
        legend: peakLegend,
        draw: peaksChart(model),
        at({ ts: at }) {
          const peak = model.peaks.find(({ ts, dur }) => ts <= at && at < ts + dur);
          if (peak === undefined) return null;
          const ended = `${formatDuration(peak.waited_sum_ns)} of waiting ended`;
          const moment = greatestIn(peak);
          return {
            lines: [`${peak.at_least ? 'at least ' : ''}${ended}`, `in one moment of ${moment_ns}`],
            choose: moment && (() => open(moment)),
            mark: { ts: moment?.ts ?? peak.ts, label: ended },
          };
        },
      }),
    ],
  );
}

function momentSentence(moment: Moment, origin_ns: number): string {
  const { ts, at_least, waited_sum_ns, threads, processes, released_by, begun_by } = moment;
  const begun = begun_by === released_by ? '' : `, begun by ${begun_by}`;
  const more = at_least ? 'at least ' : '';
  const who = `${formatCount(threads)} ${threads === 1 ? 'thread' : 'threads'} of ${formatCount(processes)} ${processes === 1 ? 'process' : 'processes'}`;
  return `${formatTime(ts, origin_ns)}: ${more}${formatDuration(waited_sum_ns)} of waiting of ${who} ended, most of it by ${released_by}${begun}.`;
}
