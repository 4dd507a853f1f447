import { formatCount, formatTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  answer,
  empty,
  pageView,
  panel,
  picture,
  ROW_PX,
  table,
  timePicture,
  turnoverPicture,
  type Block,
  type Page,
  type PlotPoint,
  rowChoice,
} from '../kit/index.ts';
import { growthChart, growthLegend, liveChart, liveLegend, MARGINS } from './chart.ts';
import { loadThreads } from './load.ts';
import type { ThreadsModel } from './model.ts';
import { params, recording } from './params.ts';
import { growthTable, processTable, threadsTables } from './tables.ts';
import { growthSentences } from './words.ts';
import sql from './query.sql';

type Context = ViewContext<typeof params>;

/** Series that are listed in sight; more scroll. */
const MOST_ROWS = 6;
/** The heading of a table with the lines around it. */
const HEADING_PX = 40;

/** How many threads were there, and what does one cost? */
export const threads = pageView({
  id: 'threads',
  title: 'Threads and growth',
  question: 'How many threads were there, and what does one cost?',
  sql,
  params,
  modules: ['etw.handle'],
  recording,
  load: loadThreads,
  tables: threadsTables,
  page,
});

function page(model: ThreadsModel, context: Context): Page {
  const { processes } = model;
  if (processes.length === 0)
    return [empty('No threads here', 'No such process has a thread in this range.')];
  return [
    ...growthPanels(model, context),
    livePanel(model),
    panel('Threads by process', 'choose one to see its growth', [
      table(processTable(model), {
        chosen: ({ pid }) => processes.findIndex((process) => process.pid === pid),
        choose: rowChoice(processes, ({ pid }) => {
          context.select({ ...context.selection, pid });
          context.setParams({ what: 'threads', pid });
        }),
      }),
    ]),
  ];
}

function growthPanels(model: ThreadsModel, context: Context): Page {
  const growth = model.chosen === null ? undefined : model.growths[model.chosen];
  if (growth === undefined) return [null, null];
  return [
    panel('Cost against count', 'time from one to the next, over how many there were before', [
      answer(growthSentences(growth)),
      picture({
        label: 'The cost of one over how many there were before it. The Tables mode holds the same.',
        height_px: 240,
        still_px: 280,
        margins: MARGINS,
        legend: (palette) => growthLegend(palette, growth),
        draw: growthChart(growth),
      }),
    ]),
    panel(
      'What grows',
      'what lost most first; choose one to see its cost above',
      [
        table(growthTable(model), {
          chosen: model.chosen,
          choose: rowChoice(model.growths, ({ what, pid }) => context.setParams({ what, pid })),
        }),
      ],
      { table_px: MOST_ROWS * ROW_PX + HEADING_PX },
    ),
  ];
}

function livePanel(model: ThreadsModel): Block {
  const { steps, created, ended, origin_ns } = model;
  const at = ({ ts }: PlotPoint) => {
    const step = Math.floor((ts - steps.ts) / steps.dur);
    if (step < 0 || step >= steps.count) return null;
    return {
      lines: [
        formatTime(steps.ts + step * steps.dur, origin_ns),
        ...model.lines.map(({ label, live }) => `${label}: ${formatCount(live[step] ?? 0)}`),
        `${formatCount(created[step] ?? 0)} created, ${formatCount(ended[step] ?? 0)} ended in this step`,
      ],
    };
  };
  const hasRates = created.some((count) => count > 0) || ended.some((count) => count > 0);
  return panel('Live threads', 'of the processes with most at once', [
    timePicture({
      label: 'Live threads of processes, over time. The table below holds the counts.',
      height_px: 220,
      still_px: 240,
      margins: MARGINS,
      legend: (palette) => liveLegend(palette, model),
      draw: liveChart(model),
      at,
    }),
    hasRates
      ? turnoverPicture(
          { origin_ns, ts: steps.ts, dur: steps.dur, came: created, went: ended },
          {
            label: 'Threads created and ended, over time.',
            words: ['threads created', 'ended'],
            height_px: 130,
            still_px: 150,
            margins: MARGINS,
            at,
          },
        )
      : null,
  ]);
}
