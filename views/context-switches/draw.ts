import * as d3 from 'd3';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  addStats,
  drawLegend,
  drawTable,
  drawUnrecorded,
  endAll,
  makeTooltip,
  paletteOf,
  STEP_MARGINS,
  stepChart,
  stepLegend,
  timePlot,
} from '../kit/index.ts';
import { rateLines, ratesChart } from './chart.ts';
import type { SwitchesModel } from './model.ts';
import type { params } from './params.ts';
import { judgement, summary } from './summary.ts';
import { groupTable, pairTable } from './tables.ts';
import { groupsWords, pairsWords } from './words.ts';

type Context = ViewContext<typeof params>;

const CHART_PX = 260;

/** Draws the view into a window. Returns what undoes it. */
export function drawSwitches(container: HTMLElement, model: SwitchesModel, context: Context): () => void {
  const unrecorded = drawUnrecorded(container, model.unrecorded);
  if (unrecorded !== null) return unrecorded;
  addNotes(container, model.notes);
  if (model.switches.every((switches) => switches === 0)) {
    addEmpty(container, 'No context switches here', 'None were recorded in this range.');
    return endAll([], container);
  }
  addStats(container, summary(model));
  for (const line of judgement(model))
    d3.select(container).append('p').attr('class', 'stats-note').text(line);
  const ends = [drawRates(container, model, context), drawPairs(container, model, context)];
  const panel = addPanel(container, groupTable(model).title, groupsWords(model));
  ends.push(
    drawTable(panel, groupTable(model), {
      origin_ns: model.origin_ns,
      name: `context-switches/${model.by}`,
      ...(model.by === 'cpu' ? {} : { onChoose: (row) => openGroup(model, row, context) }),
    }),
  );
  return endAll(ends, container);
}

function openGroup({ by, groups }: SwitchesModel, row: number, context: Context): void {
  const { process = null, tid = null } = groups[row] ?? {};
  if (by === 'process' && process !== null) context.setParams({ by: 'thread', process });
  if (by === 'thread' && tid !== null) context.openView('ready-latency', { thread: String(tid) });
}

function drawRates(container: HTMLElement, model: SwitchesModel, context: Context): () => void {
  const panel = addPanel(container, 'Context switches per second', 'grey: all CPUs and threads');
  const tooltip = makeTooltip(panel);
  const chart = ratesChart(model);
  drawLegend(panel, stepLegend(paletteOf(panel), chart));
  return timePlot(panel, context, {
    label:
      'Context switches per second over time. The tables below hold the sums; the key T shows each bucket.',
    margins: STEP_MARGINS,
    height_px: CHART_PX,
    draw: stepChart(chart),
    events: { tooltip, at: ({ ts }) => rateLines(model, ts), lines: (lines) => lines },
  });
}

function drawPairs(container: HTMLElement, model: SwitchesModel, context: Context): () => void {
  const { pairs, origin_ns } = model;
  const aside = pairs === null ? 'counting …' : `${pairsWords(pairs)}; click: ready waits of the first`;
  const panel = addPanel(container, 'Pairs of threads: who takes turns with whom', aside);
  if (pairs === null) return () => undefined;
  return drawTable(panel, pairTable(pairs), {
    origin_ns,
    name: 'context-switches/pairs',
    onChoose: (row) => {
      const tid = pairs.pairs[row]?.a.tid ?? null;
      if (tid !== null) context.openView('ready-latency', { thread: String(tid) });
    },
  });
}
