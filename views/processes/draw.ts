import type { ViewContext } from '../../shared/view/index.ts';
import {
  addAnswer,
  addEmpty,
  addNotes,
  addPanel,
  drawLaneChart,
  drawLegend,
  drawTable,
  drawUnrecorded,
  endAll,
  makeTooltip,
  paletteOf,
  rangeAround,
  timePlot,
  type End,
  type LaneEvents,
} from '../kit/index.ts';
import {
  exitingChart,
  exitingLegend,
  EXITING_MARGINS,
  lifeChart,
  ratesChart,
  ratesLegend,
  RATES_MARGINS,
} from './chart.ts';
import { exitsOf, processLabel, type ProcessesModel, type ProcessLife, type RateStep } from './model.ts';
import type { params } from './params.ts';
import { exitTable, processTable, queueTable, waiterTable } from './tables.ts';
import { exitSentences, lifeLines, summary } from './words.ts';

type Context = ViewContext<typeof params>;

/** How high the lifetimes are at most; more scroll. */
const LIVES_PX = 380;
/** Margin around a chosen exit, in times its length. */
const ZOOM_MARGIN = 0.2;

/** Draws the view into a window. Returns what undoes it. */
export function drawProcesses(container: HTMLElement, model: ProcessesModel, context: Context): End {
  const unrecorded = drawUnrecorded(container, model.unrecorded);
  if (unrecorded !== null) return unrecorded;
  addNotes(container, model.notes);
  if (model.processes.length === 0) {
    addEmpty(container, 'No such processes here', summary(model));
    return endAll([], container);
  }
  const ends = [
    ...(model.steps.some(({ created, ended }) => created + ended > 0)
      ? [drawRates(container, model, context)]
      : []),
    drawTree(container, model, context),
    drawLives(container, model, context),
    ...drawExits(container, model, context),
  ];
  return endAll(ends, container);
}

function drawTree(container: HTMLElement, model: ProcessesModel, context: Context): End {
  const panel = addPanel(container, 'Process tree', 'children below their parents');
  panel.style.setProperty('--table-height', '360px');
  return drawTable(panel, processTable(model), {
    origin_ns: model.origin_ns,
    context,
    name: 'processes/tree',
    chosen: ({ pid }) => (pid === null ? null : model.processes.findIndex((process) => process.pid === pid)),
    onChoose: (row) => {
      const process = model.processes[row];
      if (process !== undefined) choose(process, context);
    },
  });
}

function choose({ pid, create_ts, exit_ts }: ProcessLife, context: Context): void {
  const { start, end } = context.trace.range;
  context.select({ span: { start: create_ts ?? start, end: exit_ts ?? end }, thread: null, pid });
}

function drawRates(container: HTMLElement, model: ProcessesModel, context: Context): End {
  const panel = addPanel(container, 'Creations and exits', summary(model));
  addAnswer(panel, exitSentences(model));
  drawLegend(panel, ratesLegend(paletteOf(panel)));
  const events = {
    tooltip: makeTooltip(panel),
    at: ({ ts: at }: { readonly ts: number }) =>
      model.steps.find(
        ({ ts, dur, created, ended, exiting }) => ts <= at && at < ts + dur && created + ended + exiting > 0,
      ) ?? null,
    lines: ({ created, ended, exiting }: RateStep) => [
      `${created} created, ${ended} gone`,
      `up to ${exiting} exits under way at once`,
    ],
  };
  const label = 'Processes created and gone per second, over time. The tables hold them one by one.';
  const ends = [
    timePlot(panel, context, {
      label,
      margins: RATES_MARGINS,
      height_px: 170,
      draw: ratesChart(model),
      events,
    }),
  ];
  if (model.steps.some(({ exiting }) => exiting > 1)) {
    drawLegend(panel, exitingLegend(paletteOf(panel)));
    ends.push(
      timePlot(panel, context, {
        label: 'Exits that were under way at once, over time.',
        margins: EXITING_MARGINS,
        height_px: 110,
        draw: exitingChart(model),
        events,
      }),
    );
  }
  return endAll(ends);
}

function drawLives(container: HTMLElement, model: ProcessesModel, context: Context): End {
  const lives = model.processes;
  const panel = {
    title: 'Lifetimes',
    aside: 'in the order of the tree; a click chooses the process',
    label: 'When each process lived. The table above holds the same.',
    most_px: LIVES_PX,
  };
  const events: LaneEvents<ProcessLife> = {
    at: (lane, { ts }) => {
      const life = lives[lane];
      if (life === undefined || (life.create_ts ?? -Infinity) > ts || (life.exit_ts ?? Infinity) < ts)
        return null;
      return life;
    },
    lines: (life) => lifeLines(life, model.origin_ns),
    choose: (life) => choose(life, context),
    mark: (life) => ({ ts: life.create_ts ?? model.origin_ns, label: `${processLabel(life)} created` }),
  };
  return drawLaneChart(container, panel, lifeChart(lives, model), events, context);
}

function drawExits(container: HTMLElement, model: ProcessesModel, context: Context): End[] {
  const exits = exitsOf(model);
  if (exits.length === 0) return [];
  const panel = addPanel(container, 'Exits', 'what took longest first; choose one to zoom to it');
  panel.style.setProperty('--table-height', '320px');
  const ends = [
    drawTable(panel, exitTable(model), {
      origin_ns: model.origin_ns,
      context,
      name: 'processes/exits',
      chosen: ({ pid, span }) =>
        exits.findIndex(({ exit, pid: other }) => other === pid && exit.ts === span?.start),
      onChoose: (row) => {
        const chosen = exits[row];
        if (chosen === undefined) return;
        const { pid, exit } = chosen;
        const span = { start: exit.ts, end: exit.ts + exit.dur };
        context.select({ span, thread: exit.tid === null ? null : { tid: exit.tid, ts: exit.ts }, pid });
        context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
      },
    }),
  ];
  if (model.queues.length > 0) {
    const queues = addPanel(container, 'Serialised exits', 'exits that were let go by the one before');
    ends.push(
      drawTable(queues, queueTable(model), {
        origin_ns: model.origin_ns,
        context,
        name: 'processes/queues',
        onChoose: (row) => {
          const queue = model.queues[row];
          if (queue === undefined) return;
          const span = { start: queue.ts, end: queue.ts + queue.dur };
          context.select({ span, thread: null, pid: null });
          context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
        },
      }),
    );
  }
  if (model.waiters.length > 0) {
    const waiters = addPanel(
      container,
      'Who else waited for exiting processes',
      'choose one to see the wake that ended it',
    );
    ends.push(
      drawTable(waiters, waiterTable(model), {
        origin_ns: model.origin_ns,
        context,
        name: 'processes/waiters',
        onChoose: (row) => {
          const waiter = model.waiters[row];
          if (waiter !== undefined)
            context.openView('wake-chain', { ts: waiter.ts + waiter.longest_ns, tid: waiter.tid });
        },
      }),
    );
  }
  return ends;
}
