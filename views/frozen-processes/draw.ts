import * as d3 from 'd3';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  drawLegend,
  drawTable,
  followRange,
  livePlot,
  makeTooltip,
  paletteOf,
  rangeAround,
  timeScale,
} from '../kit/index.ts';
import { freezeAt, freezeChart, freezeLegend, lanesHeight, MARGINS } from './chart.ts';
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
  const { span, pid } = context.selection;
  const chosen = freezes.findIndex((freeze) => freeze.ts === span?.start && freeze.pid === pid);
  ends.push(
    drawTable(panel, freezeTable(model), {
      origin_ns: model.origin_ns,
      name: 'frozen-processes/freezes',
      chosen: chosen === -1 ? null : chosen,
      onChoose: (row) => choose(freezes[row] ?? null, context),
    }),
  );
  return () => {
    for (const end of ends) end();
    container.replaceChildren();
  };
}

function choose(freeze: Freeze | null, context: Context): void {
  if (freeze === null) return;
  const { ts, dur, pid } = freeze;
  const span = { start: ts, end: ts + dur };
  context.select({ span, thread: null, pid });
  context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
}

function drawLanes(container: HTMLElement, model: FrozenProcessesModel, context: Context): () => void {
  const panel = addPanel(container, 'Frozen over time', summary(model));
  const tooltip = makeTooltip(panel);
  drawLegend(panel, freezeLegend(paletteOf(panel)));
  const { plot, range, end } = followRange(MARGINS, context, (range, dragged) =>
    livePlot(
      panel,
      'When each process was frozen. The table below holds the freezes.',
      MARGINS,
      freezeChart(model, range, context.selection.span, dragged),
    ),
  );
  plot.element.style.height = `${lanesHeight(model)}px`;
  const freezeUnder = (event: PointerEvent): Freeze | null => {
    const current = plot.current();
    if (current === null) return null;
    const box = plot.element.getBoundingClientRect();
    const px = event.clientX - box.left - MARGINS.left;
    if (px < 0 || px > current.width) return null;
    const ts = timeScale(range(), current.width).invert(px);
    return freezeAt(model, event.clientY - box.top - MARGINS.top, ts);
  };
  let pressedAt = 0;
  d3.select(plot.element)
    .on('pointerdown', (event: PointerEvent) => (pressedAt = event.clientX))
    .on('pointermove', (event: PointerEvent) => {
      const freeze = freezeUnder(event);
      if (freeze === null || event.buttons !== 0) tooltip.hide();
      else tooltip.show(event, freezeLines(freeze, model.origin_ns));
    })
    .on('pointerleave', () => tooltip.hide())
    .on('click', (event: PointerEvent) => {
      if (Math.abs(event.clientX - pressedAt) < 4) choose(freezeUnder(event), context);
    });
  return end;
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
