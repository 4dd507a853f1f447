import { formatCount } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  addPanelRow,
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
import { countLines, countsChart } from './chart.ts';
import { addMarkButton } from './mark-lines.ts';
import type { EventsModel } from './model.ts';
import type { params } from './params.ts';
import { addChosenEvent, chosenEvent } from './chosen-event.ts';
import { eventTable, kindTable } from './tables.ts';
import { treeRows } from './tree.ts';

type Context = ViewContext<typeof params>;

const CHART_PX = 236;
const TABLE_PX = 280;

/** Draws the view into a window. Returns what undoes it. */
export function drawEvents(container: HTMLElement, model: EventsModel, context: Context): () => void {
  const unrecorded = drawUnrecorded(container, model.unrecorded);
  if (unrecorded !== null) return unrecorded;
  addNotes(container, model.notes);
  const top = addPanelRow(container, TABLE_PX);
  const ends = [drawTree(top, model, context), drawCounts(top, model, context)];
  if (model.events.length === 0) {
    addEmpty(container, 'No such events here', 'None in this range passes the filters.');
  } else {
    ends.push(drawList(container, model, context));
  }
  return endAll(ends, container);
}

function drawTree(parent: HTMLElement, model: EventsModel, context: Context): () => void {
  const { provider, event } = model;
  const rows = treeRows(model);
  const panel = addPanel(
    parent,
    'Providers and events',
    provider === null ? 'click: only these' : 'click again: all',
  );
  return drawTable(panel, kindTable(model), {
    origin_ns: model.origin_ns,
    name: 'generic-events/kinds',
    chosen: rows.findIndex((row) => row.provider === provider && row.event === event),
    onChoose: (index) => {
      const row = rows[index];
      if (row === undefined) return;
      const isChosen = row.provider === provider && row.event === event;
      if (isChosen && event !== null) context.setParams({ event: null });
      else if (isChosen) context.setParams({ provider: null, event: null });
      else context.setParams({ provider: row.provider, event: row.event });
    },
  });
}

function drawCounts(parent: HTMLElement, model: EventsModel, context: Context): () => void {
  const panel = addPanel(parent, 'Events over time', `${formatCount(model.count)} in this range`);
  const tooltip = makeTooltip(panel);
  const chart = countsChart(model);
  drawLegend(panel, stepLegend(paletteOf(panel), chart).slice(0, 5));
  return timePlot(panel, context, {
    label: 'Events over time. The table below holds them; the key T shows the counts.',
    margins: { ...STEP_MARGINS, right: 16 },
    height_px: CHART_PX,
    draw: stepChart(chart),
    events: { tooltip, at: ({ ts }) => countLines(model, ts), lines: (lines) => lines },
  });
}

function drawList(container: HTMLElement, model: EventsModel, context: Context): () => void {
  const { events, count } = model;
  const aside =
    events.length < count
      ? `the first ${formatCount(events.length)} of ${formatCount(count)}; click: choose, M: mark`
      : `${formatCount(count)}; click: choose, M: mark`;
  const table = eventTable(model);
  const panel = addPanel(container, table.title, aside);
  const endButton = addMarkButton(panel.querySelector('header') ?? panel, model, context);
  const endChosen = addChosenEvent(panel, model, context);
  const endTable = drawTable(panel, table, {
    origin_ns: model.origin_ns,
    context,
    name: `generic-events/${table.title}`,
    chosen: (selection) => chosenEvent(model, selection),
    onChoose: (row) => {
      const event = events[row];
      if (event === undefined) return;
      const { ts, tid, pid } = event;
      context.select({ span: { start: ts, end: ts }, thread: tid === null ? null : { tid, ts }, pid });
    },
  });
  return () => {
    endTable();
    endChosen();
    endButton();
  };
}
