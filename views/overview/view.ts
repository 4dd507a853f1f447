import * as d3 from 'd3';
import { formatCount, formatDuration } from '../../shared/model/index.ts';
import { processLabel, threadLabel } from '../../shared/threads/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  figures,
  own,
  pageView,
  panel,
  chooseAndZoom,
  remarks,
  row,
  stillLines,
  table,
  timePicture,
  type Block,
  type Page,
  type StillLine,
  rowChoice,
} from '../kit/index.ts';
import { hasStrip, linesAt, MARGINS, stripChart, stripHeight, stripLegend } from './chart.ts';
import { findingsPanel } from './findings-panel.ts';
import { findLater, loadLater } from './load-later.ts';
import { loadOverview } from './load.ts';
import type { OverviewModel } from './model.ts';
import { params } from './params.ts';
import { freezeTable, overviewTables, processTable, recordedTable, waitTable } from './tables.ts';
import { cpuWords, cutWords, factWords, verdictWords } from './words.ts';
import sql from './query.sql';

type Context = ViewContext<typeof params>;

/** Height of the longest tables; longer ones scroll. */
const TABLE_PX = 252;
/** About the height of what stands for one kind of events that was not recorded. */
const MISSING_PX = 42;

/** What is in this trace, and what is wrong in it? */
export const overview = pageView({
  id: 'overview',
  title: 'Overview',
  question: 'What is in this trace, and what is wrong in it?',
  sql,
  params,
  modules: ['etw.focus', 'etw.freeze', 'etw.cpu'],
  whole: true,
  load: loadOverview,
  later: {
    modules: ['etw.ready_wait_long', 'etw.sample'],
    load: loadLater,
    find: findLater,
  },
  tables: overviewTables,
  page,
});

function page(model: OverviewModel, context: Context): Page {
  const held_px = Math.max(TABLE_PX, model.missing.length * MISSING_PX);
  const held = row(held_px, 1, [recordedPanel(model, context), missingPanel(model)]);
  const hasCpu = model.cpu.series.length > 0;
  return [
    figures(factWords(model)),
    hasStrip(model) ? stripPanel(model) : null,
    hasCpu ? null : held,
    findingsPanel(model, context),
    row(TABLE_PX, 1, [
      model.facts.context_switches > 0 ? waitsPanel(model, context) : null,
      model.processes.length > 0 ? processesPanel(model, context) : null,
      model.freezes.length > 0 ? freezesPanel(model, context) : null,
    ]),
    hasCpu ? held : null,
  ];
}

function stripPanel(model: OverviewModel): Block {
  const hasCpu = model.cpu.series.length > 0;
  const asides = [hasCpu ? cpuWords(model) : null, cutWords(model)].filter((words) => words !== null);
  const draw = stripChart(model);
  return panel(hasCpu ? 'CPUs over time' : 'Over time', asides.join(' · '), [
    timePicture({
      label: 'CPU use, focus, input, freezes and findings over time. The key T shows them as tables.',
      height_px: stripHeight(model),
      margins: MARGINS,
      legend: (palette) => stripLegend(model, palette),
      draw,
      at(point) {
        const lines = linesAt(model, point);
        return lines === null ? null : { lines };
      },
    }),
  ]);
}

function waitsPanel(model: OverviewModel, context: Context): Block {
  const waits = model.waits ?? [];
  if (waits.length === 0) {
    const none =
      model.waits === null
        ? 'Outrank is looking for the longest waits.'
        : 'No thread was ready without running.';
    return panel('Worst ready waits', '', [remarks([none])], { className: 'wide' });
  }
  const lines = waits.map((wait) => ({
    text: `${formatDuration(wait.dur)}  ${threadLabel(wait)}: ${verdictWords(wait)}`,
  }));
  const choose = rowChoice(waits, (wait) => {
    chooseAndZoom(context, wait);
    context.openView('ready-latency', { wait_ts: wait.ts, wait_tid: wait.tid });
  });
  return panel(
    'Worst ready waits',
    `the ${formatCount(waits.length)} longest; choose one to see who ran meanwhile`,
    [table(waitTable(model), { name: 'waits', follows: false, choose }), stillLines(lines)],
    { className: 'wide' },
  );
}

function processesPanel(model: OverviewModel, context: Context): Block {
  const lines = model.processes.map((process) => ({
    text: `${formatDuration(process.ran_ns)}  ${processLabel(process)}`,
  }));
  const choose = rowChoice(model.processes, ({ pid }) => {
    context.select({ span: null, thread: null, pid });
    context.openView('cpu-usage', { by: 'process' });
  });
  return panel('Processes by CPU time', 'choose one to see CPU use by process', [
    table(processTable(model), { name: 'processes', follows: false, choose }),
    stillLines(lines),
  ]);
}

function freezesPanel(model: OverviewModel, context: Context): Block {
  const limit = context.params.limit ?? model.freezes.length;
  const choose = rowChoice(model.freezes, (freeze) => {
    chooseAndZoom(context, freeze);
    context.openView('frozen-processes', { process: freeze.process });
  });
  return panel('Longest freezes', `of ${formatCount(model.freeze_count)}, choose one`, [
    table(freezeTable(model, limit), { name: 'freezes', follows: false, choose }),
  ]);
}

function recordedPanel(model: OverviewModel, context: Context): Block {
  const lines: StillLine[] = model.recorded.map(({ what, events, shown_by }) => ({
    text: `${formatCount(events)}  ${what}: ${shown_by}`,
  }));
  const choose = rowChoice(model.recorded, ({ view, provider }) =>
    context.openView(view, provider === null ? {} : { provider }),
  );
  return panel('Recorded', 'in the whole file; choose one to see it', [
    table(recordedTable(model), { name: 'recorded', follows: false, choose }),
    stillLines(lines),
  ]);
}

function missingPanel({ missing }: OverviewModel): Block | null {
  if (missing.length === 0) return null;
  const list = own(
    (parent) => {
      const items = d3
        .select(parent)
        .append('dl')
        .attr('class', 'missing')
        .selectAll('div')
        .data(missing)
        .join('div');
      items.append('dt').text(({ what }) => what);
      items.append('dd').text(({ record }) => record);
      return () => undefined;
    },
    (still) => {
      for (const { what, record } of missing) still.text(`${what}. Recorded by: ${record}.`, { gap: 5 });
    },
  );
  return panel('Not recorded', 'and what records it', [list]);
}
