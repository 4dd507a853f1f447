import type { ViewContext } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  drawLaneChart,
  drawTable,
  endAll,
  rangeAround,
  type LaneEvents,
} from '../kit/index.ts';
import { freezeAt, freezeChart } from './chart.ts';
import { freezesOf, type Freeze, type FrozenProcessesModel } from './model.ts';
import type { params } from './params.ts';
import { freezeTable } from './tables.ts';
import { frozenWords, meanwhileWords, processWords, summary, threadWords } from './words.ts';

type Context = ViewContext<typeof params>;

/** Margin around a chosen freeze, as a part of its length. */
const ZOOM_MARGIN = 0.08;

/** Draws the view into a window. Returns what undoes it. */
export function drawFrozenProcesses(
  container: HTMLElement,
  model: FrozenProcessesModel,
  context: Context,
): () => void {
  addNotes(container, model.notes);
  if (model.lanes.length === 0) {
    addEmpty(container, 'No freezes here', summary(model));
    return () => container.replaceChildren();
  }
  const ends = [drawLanes(container, model, context)];
  const freezes = freezesOf(model);
  const panel = addPanel(container, 'Freezes', 'choose one to zoom to it');
  ends.push(
    drawTable(panel, freezeTable(model), {
      origin_ns: model.origin_ns,
      context,
      name: 'frozen-processes/freezes',
      chosen: ({ span, pid }) =>
        freezes.findIndex((freeze) => freeze.ts === span?.start && freeze.pid === pid),
      onChoose: (row) => {
        const freeze = freezes[row];
        if (freeze !== undefined) choose(freeze, context);
      },
    }),
  );
  return endAll(ends, container);
}

function choose(freeze: Freeze, context: Context): void {
  const { ts, dur, pid } = freeze;
  const span = { start: ts, end: ts + dur };
  context.select({ span, thread: null, pid });
  context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
}

function drawLanes(container: HTMLElement, model: FrozenProcessesModel, context: Context): () => void {
  const panel = {
    title: 'Frozen over time',
    aside: summary(model),
    label: 'When each process was frozen. The table below holds the freezes.',
  };
  const events: LaneEvents<Freeze> = {
    at: (lane, { ts }) => freezeAt(model.lanes[lane], ts),
    lines: (freeze) => freezeLines(freeze, model.origin_ns),
    choose: (freeze) => choose(freeze, context),
    mark: (freeze) => ({ ts: freeze.ts, label: `${processWords(freeze)} frozen` }),
  };
  return drawLaneChart(container, panel, freezeChart(model), events, context);
}

function freezeLines(freeze: Freeze, origin_ns: number): readonly string[] {
  const { frozen_by } = freeze;
  return [
    processWords(freeze),
    frozenWords(freeze, origin_ns),
    ...(frozen_by === null ? [] : [`frozen by ${threadWords(frozen_by)}`]),
    meanwhileWords(freeze, origin_ns),
  ];
}
