import * as d3 from 'd3';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  addSection,
  addStats,
  drawLegend,
  drawTable,
  followRange,
  livePlot,
  makeTooltip,
  paletteOf,
  timeScale,
} from '../kit/index.ts';
import { cpuScale, MARGINS, usageChart, usageLines } from './chart.ts';
import { usageLegend } from './colors.ts';
import type { CpuUsageModel } from './model.ts';
import type { params } from './params.ts';
import { isUnknown, summary } from './summary.ts';
import { groupTable, rankPriorityTable } from './tables.ts';

type Context = ViewContext<typeof params>;

const CHART_PX = 340;
const TABLE_PX = 300;

/** Draws the view into a window. Returns what undoes it. */
export function drawCpuUsage(container: HTMLElement, model: CpuUsageModel, context: Context): () => void {
  addNotes(container, model.notes);
  if (isUnknown(model)) {
    addEmpty(
      container,
      'Nothing is known to have run here',
      'No context switches were recorded in this range.',
    );
    return () => container.replaceChildren();
  }
  addStats(container, summary(model));
  const ends = [drawUsage(container, model, context)];
  const shown = [...(model.by === 'rank-priority' ? [] : [groupTable(model)]), rankPriorityTable(model)];
  const tracks = shown.length === 1 ? 'minmax(0, 1fr)' : 'minmax(0, 5fr) minmax(0, 3fr)';
  const tables = addSection(container, 'cpu-usage-tables');
  tables.style.cssText = `display: grid; gap: 12px; grid-template-columns: ${tracks}; --table-height: ${TABLE_PX}px`;
  for (const table of shown) {
    const aside = table.rows.length === 1 ? '1 group' : `${table.rows.length} groups`;
    const panel = addPanel(tables, table.title, aside);
    ends.push(drawTable(panel, table, { origin_ns: model.origin_ns, name: `cpu-usage/${table.title}` }));
  }
  return () => {
    for (const end of ends) end();
    container.replaceChildren();
  };
}

function drawUsage(container: HTMLElement, model: CpuUsageModel, context: Context): () => void {
  const lowest = model.by === 'process' || model.by === 'thread' ? 'largest' : 'what Windows runs first';
  const panel = addPanel(container, 'CPUs in use', `lowest: ${lowest}`);
  const tooltip = makeTooltip(panel);
  drawLegend(panel, usageLegend(paletteOf(panel), model));
  const { plot, range, end } = followRange(MARGINS, context, (range, dragged) =>
    livePlot(
      panel,
      'CPU use over time, stacked by group. The tables below hold the sums; the key T shows each bucket of time.',
      MARGINS,
      usageChart(model, range, context.selection.span, dragged),
    ),
  );
  plot.element.style.height = `${CHART_PX}px`;
  d3.select(plot.element)
    .on('pointermove', (event: PointerEvent) => {
      const current = plot.current();
      if (current === null) return;
      const box = plot.element.getBoundingClientRect();
      const ts = timeScale(range(), current.width).invert(event.clientX - box.left - MARGINS.left);
      const cpus = cpuScale(model, current.height).invert(event.clientY - box.top - MARGINS.top);
      const lines = event.buttons === 0 ? usageLines(model, ts, cpus) : null;
      if (lines === null) tooltip.hide();
      else tooltip.show(event, lines);
    })
    .on('pointerleave', () => tooltip.hide());
  return end;
}
