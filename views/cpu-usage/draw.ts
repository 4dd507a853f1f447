import type { ViewContext, ViewTable } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  addPanelRow,
  addStats,
  drawLegend,
  drawTable,
  drawUnrecorded,
  endAll,
  makeTooltip,
  paletteOf,
  timePlot,
  type TableOptions,
} from '../kit/index.ts';
import { chooseGroup, chosenGroup, isOnly, toggleOnly } from './choose.ts';
import { cpuScale, MARGINS, usageChart, usageLines } from './chart.ts';
import { usageLegend } from './colors.ts';
import type { CpuUsageModel } from './model.ts';
import type { params } from './params.ts';
import { isUnknown, summary } from './summary.ts';
import { groupTable, rankPriorityTable } from './tables.ts';

type Context = ViewContext<typeof params>;

const CHART_PX = 340;
const TABLE_PX = 300;
const ONLY_ASIDE = 'choose: it alone, or all again';

/** A table with what its rows do. */
type Shown = Required<Pick<TableOptions, 'chosen' | 'onChoose'>> & {
  readonly table: ViewTable;
  readonly aside: string;
};

/** Draws the view into a window. Returns what undoes it. */
export function drawCpuUsage(container: HTMLElement, model: CpuUsageModel, context: Context): () => void {
  const unrecorded = drawUnrecorded(container, model.unrecorded);
  if (unrecorded !== null) return unrecorded;
  addNotes(container, model.notes);
  if (isUnknown(model)) {
    addEmpty(
      container,
      'Nothing is known to have run here',
      'No context switches were recorded in this range.',
    );
    return endAll([], container);
  }
  addStats(container, summary(model));
  const ends = [drawUsage(container, model, context)];
  const byRank: Shown = {
    table: rankPriorityTable(model),
    aside: ONLY_ASIDE,
    chosen: model.by_rank_and_priority.findIndex((row) => isOnly(row, context.params)),
    onChoose: (row) => {
      const chosen = model.by_rank_and_priority[row];
      if (chosen !== undefined) toggleOnly(chosen, context);
    },
  };
  const shown = model.by === 'rank-priority' ? [byRank] : [groupsShown(model, context), byRank];
  const tables = addPanelRow(container, TABLE_PX, 2);
  for (const { table, aside, chosen, onChoose } of shown) {
    const groups = table.rows.length === 1 ? '1 group' : `${table.rows.length} groups`;
    const panel = addPanel(tables, table.title, `${groups}; ${aside}`);
    const name = `cpu-usage/${table.title}`;
    ends.push(drawTable(panel, table, { origin_ns: model.origin_ns, context, name, chosen, onChoose }));
  }
  return endAll(ends, container);
}

function groupsShown(model: CpuUsageModel, context: Context): Shown {
  return {
    table: groupTable(model),
    aside: model.by === 'priority' ? ONLY_ASIDE : 'choose one to select it',
    chosen: (selection) => chosenGroup(model, selection, context),
    onChoose: (row) => {
      chooseGroup(model, row, context);
    },
  };
}

function drawUsage(container: HTMLElement, model: CpuUsageModel, context: Context): () => void {
  const lowest = model.by === 'process' || model.by === 'thread' ? 'the largest' : 'what Windows runs first';
  const panel = addPanel(container, 'CPUs in use', `${lowest} at the bottom`);
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
