import type { ViewContext } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  addSection,
  addStats,
  drawLegend,
  drawTable,
  makeTooltip,
  paletteOf,
  timePlot,
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
    const options = { origin_ns: model.origin_ns, context, name: `cpu-usage/${table.title}` };
    ends.push(drawTable(panel, table, options));
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
  return timePlot(panel, context, {
    label:
      'CPU use over time, stacked by group. The tables below hold the sums; the key T shows each bucket of time.',
    margins: MARGINS,
    height_px: CHART_PX,
    draw: usageChart(model),
    events: {
      tooltip,
      at: ({ ts, y, plot }) => usageLines(model, ts, cpuScale(model, plot.height).invert(y)),
      lines: (lines) => lines,
    },
  });
}
