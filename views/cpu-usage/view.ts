import type { ViewContext } from '../../shared/view/index.ts';
import { formatCpuTime, formatShare } from '../../shared/model/index.ts';
import {
  empty,
  figures,
  pageView,
  panel,
  row,
  table,
  timePicture,
  type Block,
  type Page,
  type Table,
  rowChoice,
} from '../kit/index.ts';
import { cpuScale, MARGINS, usageChart, usageFrame, usageLines, usageLegend } from './chart.ts';
import { chooseGroup, chosenGroup, isOnly, toggleOnly } from './choose.ts';
import { addRankNotes, loadCpuUsage } from './load.ts';
import type { CpuUsageModel } from './model.ts';
import { params, recording } from './params.ts';
import { cpuUsageTables, groupTable, rankPriorityTable } from './tables.ts';
import sql from './query.sql';

const TABLE_PX = 300;
const ONLY_ASIDE = 'choose: it alone, or all again';

/** Who used the CPUs, and when? */
export const cpuUsage = pageView({
  id: 'cpu-usage',
  title: 'CPU usage',
  question: 'Who used the CPUs, and when?',
  sql,
  params,
  modules: ['etw.process', 'etw.cpu'],
  recording,
  load: loadCpuUsage,
  later: { modules: [], load: addRankNotes },
  tables: cpuUsageTables,
  page,
});

function page(model: CpuUsageModel, context: ViewContext<typeof params>): Page {
  if (isUnknown(model))
    return [empty('Nothing is known to have run here', 'No context switches were recorded in this range.')];
  const byRank = tablePanel(ONLY_ASIDE, {
    table: rankPriorityTable(model),
    chosen: model.by_rank_and_priority.findIndex((each) => isOnly(each, context.params)),
    choose: rowChoice(model.by_rank_and_priority, (chosen) => toggleOnly(chosen, context)),
  });
  const groups = tablePanel(model.by === 'priority' ? ONLY_ASIDE : 'choose one to select it', {
    table: groupTable(model),
    chosen: (selection) => chosenGroup(model, selection, context),
    choose: (at) => chooseGroup(model, at, context),
  });
  return [
    figures(summary(model)),
    usagePanel(model),
    row(TABLE_PX, 2, model.by === 'rank-priority' ? [byRank] : [groups, byRank]),
  ];
}

function tablePanel(aside: string, { table: shown, ...options }: Table): Block {
  const groups = shown.rows.length === 1 ? '1 group' : `${shown.rows.length} groups`;
  return panel(shown.title, `${groups}; ${aside}`, [table(shown, options)]);
}

function usagePanel(model: CpuUsageModel): Block {
  const lowest = model.by === 'process' || model.by === 'thread' ? 'the largest' : 'what Windows runs first';
  return panel('CPUs in use', `${lowest} at the bottom`, [
    timePicture({
      label:
        'CPU use over time, stacked by group. The tables below hold the sums; the key T shows each bucket of time.',
      height_px: 340,
      still_px: 360,
      margins: MARGINS,
      legend: (palette) => usageLegend(palette, model),
      frame: usageFrame(model),
      draw: usageChart(model),
      at({ ts, y, plot }) {
        const lines = usageLines(model, ts, cpuScale(model, plot.height).invert(y));
        return lines && { lines };
      },
    }),
  ]);
}

/** Where the time of the CPUs went, as named numbers; parts that are nothing are left out. Where something is not recorded, it is told what shares are of. */
function summary({ totals, cpu_count }: CpuUsageModel): readonly (readonly [string, string])[] {
  const { capacity_ns, shown_ns, hidden_ns, idle_ns, unknown_ns } = totals;
  const of = unknown_ns > 0 ? ' of all' : '';
  const part = (ns: number) => `${formatCpuTime(ns)} (${formatShare(ns / Math.max(1, capacity_ns))}${of})`;
  const parts: readonly (readonly [string, number])[] = [
    ['ran', shown_ns],
    ['hidden', hidden_ns],
    ['idle', idle_ns],
    ['not recorded', unknown_ns],
  ];
  return [
    [`${cpu_count} CPUs`, formatCpuTime(capacity_ns)],
    ...parts.filter(([, ns]) => ns > 0).map(([name, ns]) => [name, part(ns)] as const),
  ];
}

/** True where nothing at all was recorded of who ran. */
function isUnknown({ totals }: CpuUsageModel): boolean {
  return totals.capacity_ns === totals.unknown_ns;
}
