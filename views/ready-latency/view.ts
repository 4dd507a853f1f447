import { formatCount, formatDuration, formatShown } from '../../shared/model/index.ts';
import type {
  ChosenWait,
  GroupBy,
  GroupSummary,
  Meanwhile,
  ReadyWait,
} from '../../shared/ready-waits/index.ts';
import { gatherAhead } from '../../shared/ready-waits/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { Detail, Selection, ViewContext } from '../../shared/view/index.ts';
import {
  barHit,
  choiceOf,
  detail,
  DurationBars,
  empty,
  figures,
  histogramPicture,
  pageView,
  panel,
  remarks,
  row,
  table,
  timePicture,
  type Block,
  type Page,
  rowChoice,
} from '../kit/index.ts';
import { waitLegend, waitLines, WAITS_MARGINS, waitsChart } from './charts.ts';
import { footnotes, PERCENTILE_BOUND } from './footnotes.ts';
import { judgePending } from './judge-list.ts';
import { loadChosen } from './load-recorded.ts';
import { loadReadyLatency } from './load.ts';
import { meanwhilePage } from './meanwhile-page.ts';
import type { ReadyLatencyModel } from './model.ts';
import { params, recording, type ReadyLatencyParams } from './params.ts';
import { groupTable, readyLatencyTables, waitTable } from './tables.ts';
import sql from './query.sql';

type Context = ViewContext<typeof params>;

const CHART_PX = 188;
const STILL_PX = 260;
/** How near to a wait, in px, a pointer must be to mean it. */
const REACH_PX = 12;
/** Tables are at most so high, in px; longer ones scroll. */
const WAITS_PX = 238;
const GROUPS_PX = 262;

/** What ran during the chosen wait. */
const meanwhile: Detail<typeof params, ChosenWait, Meanwhile> = {
  name: 'meanwhile',
  namedBy: ['wait_ts', 'wait_tid'],
  chosen({ span, thread }: Selection, { wait_ts, wait_tid }: ReadyLatencyParams) {
    if (wait_ts !== null && wait_tid !== null) return { wait_ts, wait_tid };
    return span === null || thread === null ? null : { wait_ts: span.start, wait_tid: thread.tid };
  },
  load: loadChosen,
};

/** Which threads were ready to run, and had to wait? */
export const readyLatency = pageView({
  id: 'ready-latency',
  title: 'Ready latency',
  question: 'Which threads were ready to run, and had to wait?',
  sql,
  params,
  modules: ['etw.ready_wait_long'],
  recording,
  load: loadReadyLatency,
  ahead: gatherAhead,
  later: {
    modules: [],
    load: (query, _params, _range, model) => judgePending(query, model),
  },
  detail: meanwhile,
  tables: readyLatencyTables,
  page,
});

function page(model: ReadyLatencyModel, context: Context): Page {
  const { total, waits } = model;
  const none = 'No thread was ready without running in this range, or the filters let none through.';
  if (total.count === 0) return [empty('No ready waits here', none)];
  const choose = (wait: ReadyWait) => context.select(choiceOf(wait));
  return [
    figures([
      ['ready waits', formatCount(total.count)],
      ['p50', formatDuration(total.p50_ns)],
      ['p90', formatDuration(total.p90_ns)],
      ['p99', formatDuration(total.p99_ns)],
      ['longest', formatDuration(total.max_ns)],
      ['above p99', formatDuration(total.above_p99_ns)],
      ['all together', formatDuration(total.sum_ns)],
    ]),
    remarks(footnotes(model)),
    panel(
      'Longest ready waits',
      `${listWords(model)}; choose one to see who ran meanwhile`,
      [
        table(waitTable(model), {
          name: 'waits',
          chosen: (selection) => {
            const wait = meanwhile.chosen(selection, context.params);
            return waits.findIndex(({ ts, tid }) => ts === wait?.wait_ts && tid === wait.wait_tid);
          },
          choose: rowChoice(waits, choose),
        }),
      ],
      { className: 'wait-table', table_px: WAITS_PX },
    ),
    detail((value) => meanwhilePage(value as Meanwhile, model.origin_ns, context)),
    row(GROUPS_PX, 1.5, [waitsPanel(model, choose), lengthsPanel(model)]),
    groupsPanel(model, context),
  ];
}

function waitsPanel(model: ReadyLatencyModel, choose: (wait: ReadyWait) => void): Block {
  const bars = new DurationBars(model.waits);
  return panel(
    'Longest waits over time',
    'length on a log scale',
    [
      timePicture({
        label: 'The longest ready waits over time. The table above holds the same waits.',
        height_px: CHART_PX,
        still_px: STILL_PX,
        margins: WAITS_MARGINS,
        legend: waitLegend,
        draw: waitsChart(model),
        at(point) {
          const wait = bars.at(point, REACH_PX);
          if (wait === null) return null;
          const label = `${threadLabel(wait)} ready`;
          return { lines: waitLines(wait), choose: () => choose(wait), mark: { ts: wait.ts, label } };
        },
      }),
    ],
    { className: 'waits-over-time' },
  );
}

function lengthsPanel(model: ReadyLatencyModel): Block {
  return panel(
    'All waits by length',
    'both scales logarithmic',
    [
      histogramPicture(model.histogram, model.total, {
        label: 'How many ready waits were how long. The key T shows the counts as a table.',
        height_px: CHART_PX,
        still_px: STILL_PX,
        at: (point) => barHit(model.histogram, point, ['wait', 'waits']),
      }),
    ],
    { className: 'waits-by-length' },
  );
}

/** How many of the waits are listed, and which. */
function listWords({ waits, listed, only }: ReadyLatencyModel): string {
  if (only !== null) return `${formatCount(waits.length)}: ${only}`;
  return formatShown(waits.length, Math.max(waits.length, listed));
}

function groupsPanel(model: ReadyLatencyModel, context: Context): Block {
  const { group_by, groups } = model;
  const aside = `all waits in the range; ${PERCENTILE_BOUND}; choose one to see only its waits`;
  const options = { className: 'process-table', table_px: GROUPS_PX };
  const choose = rowChoice(groups, (group) => context.setParams(filterFor(group, group_by)));
  return panel(
    `By ${group_by}`,
    aside,
    [table(groupTable(model), { name: `by-${group_by}`, choose })],
    options,
  );
}

/** The filter that only a group's waits pass. */
function filterFor(group: GroupSummary, group_by: GroupBy): Partial<ReadyLatencyParams> {
  switch (group_by) {
    case 'process':
      return { process: group.process };
    case 'thread':
      return { thread: group.tid === null ? null : String(group.tid) };
    case 'rank':
      return { rank: group.rank };
    case 'priority':
      return { priority: group.priority };
  }
}
