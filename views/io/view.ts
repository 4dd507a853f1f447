import { formatDuration, formatShown, formatTime } from '../../shared/model/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { Selection, ViewContext, ViewTable } from '../../shared/view/index.ts';
import {
  buttons,
  choiceOf,
  chosen,
  DurationBars,
  empty,
  figures,
  histogramPicture,
  pageView,
  panel,
  remarks,
  row,
  stepPicture,
  stillLines,
  table,
  timePicture,
  type Block,
  type Page,
  type StillLine,
  rowChoice,
} from '../kit/index.ts';
import { ioLines, iosChart, iosLegend, IOS_MARGINS, rateLines, ratesChart, RATE_MARGINS } from './chart.ts';
import { loadWaits } from './load-waits.ts';
import { loadIo } from './load.ts';
import type { Io, IoGroup, IoModel } from './model.ts';
import { params, recording } from './params.ts';
import { ioTables, kindTable, shownIos, shownPaths, shownProcesses } from './tables.ts';
import { othersWords, pathsCutWords, sizeWords, summaryWords, waitWords } from './words.ts';
import sql from './query.sql';

type Context = ViewContext<typeof params>;

const CHART_PX = 220;
/** A pointer so near to an I/O is on it. */
const REACH_PX = 8;
const GROUPS_PX = 240;
/** I/Os that a still puts in words, and letters of a path. */
const STILL_IOS = 12;
const PATH_LETTERS = 90;

/** Who read and wrote what, how long, and who waited? */
export const io = pageView({
  id: 'io',
  title: 'Disk and file I/O',
  question: 'Who read and wrote what, how long, and who waited?',
  sql,
  params,
  modules: ['etw.io'],
  recording,
  load: loadIo,
  later: {
    modules: ['etw.ready_wait'],
    load: (query, _params, _range, model) => loadWaits(query, model),
  },
  tables: ioTables,
  page,
});

function page(model: IoModel, context: Context): Page {
  const { summary, ios } = model;
  if (summary.count === 0) return [empty('No I/O here', 'None in this range passes the filters.')];
  const hasEnds = summary.ended > 0;
  const choose = (io: Io) => context.select(choiceOf({ ...io, dur: io.dur ?? 0 }));
  const listed = formatShown(ios.length, summary.count, 'the longest ');
  return [
    hasEnds
      ? figures([
          ['p50', formatDuration(summary.p50_ns)],
          ['p90', formatDuration(summary.p90_ns)],
          ['p99', formatDuration(summary.p99_ns)],
          ['longest', formatDuration(summary.max_ns)],
        ])
      : null,
    row(GROUPS_PX, 2, [ratesPanel(model, context), hasEnds ? durationsPanel(model) : null]),
    hasEnds ? iosPanel(model, choose) : null,
    ...groupPanels(model, context),
    panel(kindTable(model).title, 'how long each took', [table(kindTable(model), { follows: false })]),
    panel('Longest I/O', `${listed}; click: choose, M: mark`, [
      chosen((selection) => chosenBlocks(model, chosenRow(model, selection), context)),
      table(shownIos(model), {
        chosen: (selection) => chosenRow(model, selection),
        choose: rowChoice(ios, choose),
      }),
      stillLines(ios.slice(0, STILL_IOS).flatMap((_, at) => ioWords(model, at))),
    ]),
  ];
}

function ratesPanel(model: IoModel, { params: { measure } }: Context): Block {
  const title = measure === 'depth' ? 'I/O under way over time (queue depth)' : 'I/O over time';
  return panel(title, summaryWords(model), [
    stepPicture(ratesChart(model, measure), {
      label: 'I/O per second over time, by disk and direction. The key T shows the numbers.',
      height_px: CHART_PX,
      still_px: 240,
      margins: RATE_MARGINS,
      lines: (bucket, span) => rateLines(model, bucket, span),
    }),
  ]);
}

function durationsPanel(model: IoModel): Block {
  return panel('By duration', 'both scales logarithmic', [
    histogramPicture(model.histogram, model.summary, {
      label: 'How many took how long. The key T shows the counts as a table.',
      height_px: CHART_PX,
      still_px: 240,
    }),
  ]);
}

function iosPanel(model: IoModel, choose: (io: Io) => void): Block {
  const bars = new DurationBars(model.ios);
  return panel('Longest, over time', 'a bar from start to end, duration on a log scale', [
    timePicture({
      label: 'The listed I/O over time, by duration. The table below holds the same.',
      height_px: CHART_PX,
      still_px: 240,
      margins: IOS_MARGINS,
      legend: (palette) => iosLegend(palette, model),
      draw: iosChart(model),
      at(point) {
        const io = bars.at(point, REACH_PX);
        return (
          io && {
            lines: ioLines(io),
            choose: () => choose(io),
            mark: { ts: io.ts, label: `${io.kind} ${io.path ?? ''}`.trim() },
          }
        );
      },
    }),
  ]);
}

/** Sums by process and by path: a click shows the I/O of one alone. */
function groupPanels(model: IoModel, context: Context): Page {
  const groups = (
    shown: ViewTable,
    rows: readonly IoGroup[],
    only: 'process' | 'path',
    valueOf: (row: IoGroup) => string | null,
    cut: string,
  ) => {
    const at = rows.findIndex((row) => valueOf(row) !== null && valueOf(row) === context.params[only]);
    const click = at === -1 ? 'click: only this' : 'click again: all';
    const choose = rowChoice(rows, (row) => {
      const value = valueOf(row);
      if (value !== null) context.setParams({ [only]: value === context.params[only] ? null : value });
    });
    const options = { table_px: GROUPS_PX };
    const aside = cut === '' ? click : `${cut}; ${click}`;
    return panel(shown.title, aside, [table(shown, { chosen: at, choose, follows: false })], options);
  };
  const { processes, paths } = model;
  return [
    groups(shownProcesses(model), processes, 'process', ({ pid }) => (pid === null ? null : String(pid)), ''),
    groups(shownPaths(model), paths, 'path', ({ name }) => name, pathsCutWords(model)),
  ];
}

/** The listed I/O that is chosen; -1 if none is. */
function chosenRow({ ios }: IoModel, { span, thread }: Selection): number {
  return ios.findIndex(
    ({ ts, dur, tid }) => ts === span?.start && ts + (dur ?? 0) === span.end && tid === (thread?.tid ?? null),
  );
}

/** Who waited for the chosen I/O, and the way to the wake chain of that wait. */
function chosenBlocks(model: IoModel, at: number, context: Context): Page {
  const io = model.ios[at];
  if (io === undefined) return [];
  const [wait, others] = [model.waits?.[at] ?? null, model.others?.[at] ?? null];
  const waited =
    model.waits === null
      ? 'Looking for who waited for it…'
      : wait === null
        ? 'No wait of its thread ended with it, or none was recorded.'
        : `Until it ended, ${waitWords(wait)}.`;
  const path = io.path === null ? '' : `${io.path}: `;
  const also = others === null ? '' : ` As it ended, ${othersWords(others)}.`;
  const [ts, tid] = [wait?.run_ts ?? null, io.tid];
  return [
    remarks([`${path}${waited}${also}`]),
    ts === null || tid === null
      ? null
      : buttons([
          {
            label: 'Show its wake chain',
            press: () => context.openView('wake-chain', { ts, tid, direction: 'backward' }),
          },
        ]),
  ];
}

/** A listed I/O in words, and who waited for it. */
function ioWords({ ios, waits, others, origin_ns }: IoModel, at: number): readonly StillLine[] {
  const io = ios[at];
  if (io === undefined) return [];
  const took = io.dur === null ? '' : ` in ${formatDuration(io.dur)}`;
  const what = `${io.kind}${sizeWords(io)}${took}: ${shortPath(io.path)}, ${threadLabel(io)}`;
  const [wait, other] = [waits?.[at] ?? null, others?.[at] ?? null];
  const more = [wait && waitWords(wait), other && othersWords(other)].filter((words) => words !== null);
  return [
    { text: `${formatTime(io.ts, origin_ns)}  ${what}`, size: 11, gap: 4 },
    ...more.map((text) => ({ text, size: 11, gap: 6, isMuted: true })),
  ];
}

/** The end of a long path tells more than its start. */
function shortPath(path: string | null): string {
  if (path === null) return 'a file without a name';
  return path.length > PATH_LETTERS ? `…${path.slice(1 - PATH_LETTERS)}` : path;
}
