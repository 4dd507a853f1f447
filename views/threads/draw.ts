import { formatCount, formatTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  addAnswer,
  addEmpty,
  addNotes,
  addPanel,
  drawLegend,
  drawTable,
  drawUnrecorded,
  endAll,
  livePlot,
  makeTooltip,
  paletteOf,
  ROW_PX,
  timePlot,
  type End,
} from '../kit/index.ts';
import {
  growthChart,
  growthLegend,
  liveChart,
  liveLegend,
  MARGINS,
  ratesChart,
  ratesLegend,
} from './chart.ts';
import type { ThreadsModel } from './model.ts';
import type { params } from './params.ts';
import { growthTable, processTable } from './tables.ts';
import { growthSentences } from './words.ts';

type Context = ViewContext<typeof params>;

/** Series that are listed in sight; more scroll. */
const MOST_ROWS = 6;
/** The heading of a table with the lines around it. */
const HEADING_PX = 40;

/** Draws the view into a window. Returns what undoes it. */
export function drawThreads(container: HTMLElement, model: ThreadsModel, context: Context): End {
  const unrecorded = drawUnrecorded(container, model.unrecorded);
  if (unrecorded !== null) return unrecorded;
  addNotes(container, model.notes);
  if (model.processes.length === 0) {
    addEmpty(container, 'No threads here', 'No such process has a thread in this range.');
    return endAll([], container);
  }
  const ends = [...drawGrowth(container, model, context), ...drawLive(container, model, context)];
  return endAll(ends, container);
}

function drawGrowth(container: HTMLElement, model: ThreadsModel, context: Context): End[] {
  const growth = model.chosen === null ? undefined : model.growths[model.chosen];
  if (growth === undefined) return [];
  const panel = addPanel(
    container,
    'Cost against count',
    'time from one to the next, over how many there were before',
  );
  addAnswer(panel, growthSentences(growth));
  drawLegend(panel, growthLegend(paletteOf(panel), growth));
  const label = 'The cost of one over how many there were before it. The Tables mode holds the same.';
  const plot = livePlot(panel, label, MARGINS, growthChart(growth));
  plot.element.style.height = '240px';
  const table = growthTable(model);
  const list = addPanel(container, 'What grows', 'what lost most first; choose one to see its cost above');
  list.style.setProperty('--table-height', `${MOST_ROWS * ROW_PX + HEADING_PX}px`);
  const end = drawTable(list, table, {
    origin_ns: model.origin_ns,
    context,
    name: 'threads/growth',
    chosen: model.chosen,
    onChoose: (row) => {
      const chosen = model.growths[row];
      if (chosen !== undefined) context.setParams({ what: chosen.what, pid: chosen.pid });
    },
  });
  return [() => plot.end(), end];
}

function drawLive(container: HTMLElement, model: ThreadsModel, context: Context): End[] {
  const { steps, created, ended } = model;
  const panel = addPanel(container, 'Live threads', 'of the processes with most at once');
  drawLegend(panel, liveLegend(paletteOf(panel), model));
  const stepAt = (ts: number) => {
    const step = Math.floor((ts - steps.ts) / steps.dur);
    return step >= 0 && step < steps.count ? step : null;
  };
  const events = {
    tooltip: makeTooltip(panel),
    at: ({ ts }: { readonly ts: number }) => stepAt(ts),
    lines: (step: number) => [
      formatTime(steps.ts + step * steps.dur, model.origin_ns),
      ...model.lines.map(({ label, live }) => `${label}: ${formatCount(live[step] ?? 0)}`),
      `${formatCount(created[step] ?? 0)} created, ${formatCount(ended[step] ?? 0)} ended in this step`,
    ],
  };
  const ends = [
    timePlot(panel, context, {
      label: 'Live threads of processes, over time. The table below holds the counts.',
      margins: MARGINS,
      height_px: 220,
      draw: liveChart(model),
      events,
    }),
  ];
  if (created.some((count) => count > 0) || ended.some((count) => count > 0)) {
    drawLegend(panel, ratesLegend(paletteOf(panel)));
    const label = 'Threads created and ended per second, over time.';
    ends.push(
      timePlot(panel, context, { label, margins: MARGINS, height_px: 130, draw: ratesChart(model), events }),
    );
  }
  const list = addPanel(container, 'Threads by process', 'choose one to see its growth');
  ends.push(
    drawTable(list, processTable(model), {
      origin_ns: model.origin_ns,
      context,
      name: 'threads/processes',
      chosen: ({ pid }) => model.processes.findIndex((process) => process.pid === pid),
      onChoose: (row) => {
        const chosen = model.processes[row];
        if (chosen === undefined) return;
        context.select({ ...context.selection, pid: chosen.pid });
        context.setParams({ what: 'threads', pid: chosen.pid });
      },
    }),
  );
  return ends;
}
