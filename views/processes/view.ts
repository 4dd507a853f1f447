import { formatCount } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  answer,
  chooseAndZoom,
  empty,
  lanes,
  pageView,
  panel,
  stillLines,
  table,
  timePicture,
  turnoverPicture,
  type Block,
  type Happening,
  type Page,
  type PlotPoint,
  rowChoice,
} from '../kit/index.ts';
import { exitingChart, exitingLegend, EXITING_MARGINS, lifeChart, RATES_MARGINS } from './chart.ts';
import { addExitWaits, loadProcesses } from './load.ts';
import { exitsOf, lifeLabel, type ProcessesModel, type ProcessLife } from './model.ts';
import { params, recording } from './params.ts';
import { exitTable, processesTables, processTable, queueTable, waiterTable } from './tables.ts';
import { exitSentences, lifeLines, summary } from './words.ts';
import sql from './query.sql';

type Context = ViewContext<typeof params>;

/** How high the lifetimes are at most; more scroll. */
const LIVES_PX = 380;
/** How many lifetimes a still shows. */
const STILL_LIVES = 60;
/** Margin around a chosen exit, in times its length. */
const ZOOM_MARGIN = 0.2;

/** Which processes came and went, and what did their ends cost? */
export const processes = pageView({
  id: 'processes',
  title: 'Processes',
  question: 'Which processes came and went, and what did their ends cost?',
  sql,
  params,
  modules: ['etw.process'],
  recording,
  load: loadProcesses,
  later: {
    modules: ['etw.ready_wait'],
    load: (query, _params, _range, model) => addExitWaits(query, model),
  },
  tables: processesTables,
  page,
});

function page(model: ProcessesModel, context: Context): Page {
  if (model.processes.length === 0) return [empty('No such processes here', summary(model))];
  const choose = (life: ProcessLife) => {
    const { start, end } = context.trace.range;
    const span = { start: life.create_ts ?? start, end: life.exit_ts ?? end };
    context.select({ span, thread: null, pid: life.pid });
  };
  return [
    ratesPanel(model),
    panel(
      'Process tree',
      'children below their parents',
      [
        table(processTable(model), {
          chosen: ({ pid }) => (pid === null ? null : model.processes.findIndex((each) => each.pid === pid)),
          choose: rowChoice(model.processes, choose),
        }),
      ],
      { table_px: 360 },
    ),
    livesPanel(model, choose),
    ...exitPanels(model, context),
  ];
}

function ratesPanel(model: ProcessesModel): Block | null {
  const { steps } = model;
  if (!steps.some(({ created, ended }) => created + ended > 0)) return null;
  const at = ({ ts: at }: PlotPoint) => {
    const step = steps.find(({ ts, dur }) => ts <= at && at < ts + dur);
    if (step === undefined || step.created + step.ended + step.exiting === 0) return null;
    const { created, ended, exiting } = step;
    return { lines: [`${created} created, ${ended} gone`, `up to ${exiting} exits under way at once`] };
  };
  const turnover = {
    origin_ns: model.origin_ns,
    ts: steps[0]?.ts ?? 0,
    dur: steps[0]?.dur ?? 0,
    came: steps.map(({ created }) => created),
    went: steps.map(({ ended }) => ended),
  };
  return panel('Creations and exits', summary(model), [
    answer(exitSentences(model)),
    turnoverPicture(turnover, {
      label: 'Processes created and gone, over time. The tables hold them one by one.',
      words: ['created', 'gone'],
      height_px: 170,
      still_px: 180,
      margins: RATES_MARGINS,
      at,
    }),
    steps.some(({ exiting }) => exiting > 1)
      ? timePicture({
          label: 'Exits that were under way at once, over time.',
          height_px: 110,
          still_px: 120,
          margins: EXITING_MARGINS,
          legend: exitingLegend,
          draw: exitingChart(model),
          at,
        })
      : null,
  ]);
}

function livesPanel(model: ProcessesModel, choose: (life: ProcessLife) => void): Block {
  const lives = model.processes;
  const cut = `Lifetimes of the first ${formatCount(STILL_LIVES)} of ${formatCount(lives.length)}.`;
  return panel('Lifetimes', 'in the order of the tree; a click chooses the process', [
    lanes({
      label: 'When each process lived. The table above holds the same.',
      chart: lifeChart(lives, model),
      still_chart: lifeChart(lives.slice(0, STILL_LIVES), model),
      most_px: LIVES_PX,
      at(lane, { ts }) {
        const life = lives[lane];
        const { create_ts, exit_ts } = life ?? {};
        if (life === undefined || (create_ts ?? -Infinity) > ts || (exit_ts ?? Infinity) < ts) return null;
        return {
          lines: lifeLines(life, model.origin_ns),
          choose: () => choose(life),
          mark: { ts: create_ts ?? model.origin_ns, label: `${lifeLabel(life)} created` },
        };
      },
    }),
    stillLines(lives.length > STILL_LIVES ? [{ text: cut, isMuted: true }] : []),
  ]);
}

function exitPanels(model: ProcessesModel, context: Context): readonly (Block | null)[] {
  const { queues, waiters } = model;
  const exits = exitsOf(model);
  if (exits.length === 0) return [];
  const zoomTo = (what: Happening) => chooseAndZoom(context, what, ZOOM_MARGIN);
  return [
    panel(
      'Exits',
      'what took longest first; choose one to zoom to it',
      [
        table(exitTable(model), {
          chosen: ({ pid, span }) =>
            exits.findIndex(({ exit, pid: other }) => other === pid && exit.ts === span?.start),
          choose: rowChoice(exits, ({ exit, pid }) => zoomTo({ ...exit, pid })),
        }),
      ],
      { table_px: 320 },
    ),
    queues.length === 0
      ? null
      : panel('Serialised exits', 'exits that were let go by the one before', [
          table(queueTable(model), { choose: rowChoice(queues, zoomTo) }),
        ]),
    waiters.length === 0
      ? null
      : panel('Who else waited for exiting processes', 'choose one to see the wake that ended it', [
          table(waiterTable(model), {
            choose: rowChoice(waiters, ({ ts, longest_ns, tid }) =>
              context.openView('wake-chain', { ts: ts + longest_ns, tid }),
            ),
          }),
        ]),
  ];
}
