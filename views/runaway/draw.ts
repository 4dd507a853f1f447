import { formatCount } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  drawLegend,
  drawTable,
  drawUnrecorded,
  endAll,
  paletteOf,
  timePlot,
} from '../kit/index.ts';
import { MARGINS, runawayChart, runawayLegend } from './chart.ts';
import type { RunawayModel } from './model.ts';
import type { params } from './params.ts';
import { threadTable } from './tables.ts';

const CHART_PX = 280;

/** Draws the view into a window. Returns what undoes it. */
export function drawRunaway(
  container: HTMLElement,
  model: RunawayModel,
  context: ViewContext<typeof params>,
): () => void {
  const unrecorded = drawUnrecorded(container, model.unrecorded);
  if (unrecorded !== null) return unrecorded;
  addNotes(container, model.notes);
  if (model.threads.length === 0) {
    const { process } = context.params;
    addEmpty(
      container,
      'No thread is known to have run',
      process === null || process === ''
        ? 'In this range neither context switches nor samples tell of one.'
        : `None of a process whose name contains “${process}”.`,
    );
    return endAll([], container);
  }
  const source = model.exact ? 'from context switches' : 'from samples';
  const chart = addPanel(container, 'CPU time over time', source);
  drawLegend(chart, runawayLegend(paletteOf(chart), model));
  const ends = [
    timePlot(chart, context, {
      label: 'How the CPU time of threads grew. The table below holds the sums.',
      margins: MARGINS,
      height_px: CHART_PX,
      draw: runawayChart(model),
    }),
  ];
  const table = threadTable(model);
  const { threads, thread_count } = model;
  const first = threads.length < thread_count ? `the first ${threads.length} of ` : '';
  const panel = addPanel(container, table.title, `${first}${formatCount(thread_count)}; click: its samples`);
  ends.push(
    drawTable(panel, table, {
      origin_ns: model.origin_ns,
      name: 'runaway/threads',
      onChoose: (row) => {
        const tid = model.threads[row]?.tid ?? null;
        if (tid !== null) context.openView('cpu-sampled', { tid });
      },
    }),
  );
  return endAll(ends, container);
}
