import { formatCount, formatCpuTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { empty, pageView, panel, stillLines, table, timePicture, type Page } from '../kit/index.ts';
import { MARGINS, runawayChart, runawayLegend } from './chart.ts';
import { loadRunaway } from './load.ts';
import type { RunawayModel } from './model.ts';
import { params, recording } from './params.ts';
import { runawayTables, threadTable } from './tables.ts';
import sql from './query.sql';

/** Which threads used CPU time since the start, and at what? */
export const runaway = pageView({
  id: 'runaway',
  title: 'Runaway threads',
  question: 'Which threads used CPU time since the start, and at what?',
  sql,
  params,
  modules: ['etw.process', 'etw.cpu', 'etw.sample'],
  recording,
  load: loadRunaway,
  tables: runawayTables,
  page,
});

function page(model: RunawayModel, context: ViewContext<typeof params>): Page {
  const { threads, thread_count } = model;
  const [first] = threads;
  if (first === undefined) {
    const { process } = context.params;
    const why =
      process === null || process === ''
        ? 'In this range no context switch or sample shows one.'
        : `None of a process whose name contains “${process}”.`;
    return [empty('No thread is known to have run', why)];
  }
  const cut = threads.length < thread_count ? `the first ${threads.length} of ` : '';
  return [
    stillLines([{ text: `${first.label} ran for ${formatCpuTime(first.ran_ns)}.`, size: 13, gap: 14 }]),
    panel('CPU time over time', model.exact ? 'from context switches' : 'from samples', [
      timePicture({
        label: 'How the CPU time of threads grew. The table below holds the sums.',
        height_px: 280,
        still_px: 360,
        margins: MARGINS,
        legend: (palette) => runawayLegend(palette, model),
        draw: runawayChart(model),
      }),
    ]),
    panel(threadTable(model).title, `${cut}${formatCount(thread_count)}; click: its samples`, [
      table(threadTable(model), {
        follows: false,
        choose(row) {
          const tid = threads[row]?.tid ?? null;
          if (tid !== null) context.openView('cpu-sampled', { tid });
        },
      }),
    ]),
  ];
}
