import { ASSUMPTIONS } from '../../shared/causes/index.ts';
import { formatCount, formatDuration, formatShare } from '../../shared/model/index.ts';
import { answer, empty, figures, pageView, panel, picture, remarks, table, type Page } from '../kit/index.ts';
import { chartHeight, drawTried, MARGINS } from './chart.ts';
import { loadTried, loadWhatIf, type Tried, type WhatIfModel } from './load.ts';
import { params, recording } from './params.ts';
import { whatIfTables } from './tables.ts';
import sql from './query.sql';

/** What would have helped these threads? */
export const whatIf = pageView({
  id: 'what-if',
  title: 'What if',
  question: 'What would have helped: another rank or priority, a CPU more, a process less?',
  sql,
  params,
  paramsFor: ({ thread }) => (thread === null ? {} : { thread: String(thread.tid) }),
  modules: ['etw.ready_wait'],
  recording,
  load: loadWhatIf,
  later: { modules: [], load: loadTried },
  tables: whatIfTables,
  page,
});

/** A change that saves less than its error says nothing. */
const helps = ({ recorded_ns, estimate_ns, error_ns }: Tried) => recorded_ns - estimate_ns > error_ns;

function page(model: WhatIfModel): Page {
  const { threads, nothing, tried } = model;
  if (nothing !== null) return [empty('Nothing to estimate', nothing)];
  const [best] = tried ?? [];
  if (tried === null || best === undefined)
    return [answer([`The ready queues are being run again for ${threads}.`])];
  const { bursts, ran_ns, recorded_ns, replayed_ns } = best;
  const [list] = whatIfTables(model);
  return [
    answer([
      helps(best)
        ? `With ${best.change} ${threads} would have been ready for about ${formatDuration(best.estimate_ns)} in place of ${formatDuration(recorded_ns)}.`
        : `No change that was tried would surely have helped ${threads}.`,
    ]),
    figures([
      ['ready without running, recorded', formatDuration(recorded_ns)],
      ['bursts', formatCount(bursts)],
      ['CPU time of these', formatDuration(ran_ns)],
      [
        'the replay without a change',
        `${formatDuration(replayed_ns)}${recorded_ns > 0 ? `, ${formatShare(replayed_ns / recorded_ns)}` : ''}`,
      ],
    ]),
    panel(list.title, 'how long the threads would have been ready, each time with one change', [
      picture({
        label: 'How long the threads would have been ready, by change. The table below holds the same.',
        height_px: chartHeight(tried),
        margins: MARGINS,
        draw: (plot) => drawTried(plot, tried),
      }),
      table(list, { follows: false }),
    ]),
    remarks(['The estimate takes for granted:', ...ASSUMPTIONS]),
  ];
}
