import * as d3 from 'd3';
import { formatDuration, formatTime } from '../../shared/model/index.ts';
import type { TimeRange, ViewContext } from '../../shared/view/index.ts';
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
} from '../kit/index.ts';
import { eventAt, focusChart, focusLegend, lanesHeight, MARGINS } from './chart.ts';
import type { FocusAndInputModel } from './model.ts';
import type { params } from './params.ts';
import { eventsOf, eventTable, isFocus, type EventRow } from './tables.ts';
import { inputWords, processWords, summary } from './words.ts';

type Context = ViewContext<typeof params>;

/** Draws the view into a window. Returns what undoes it. */
export function drawFocusAndInput(
  container: HTMLElement,
  model: FocusAndInputModel,
  context: Context,
): () => void {
  addNotes(container, model.notes);
  const events = eventsOf(model);
  if (events.length === 0) {
    addEmpty(container, 'No focus and no input here', summary(model));
    return () => container.replaceChildren();
  }
  // A choice alone does not load the view again, so that the lanes are told of it here.
  let span = context.selection.span;
  const choose = (event: EventRow | null) => {
    if (event === null) return;
    span = { start: event.ts, end: isFocus(event) ? event.ts + event.dur : event.ts };
    context.select({ span, thread: null, pid: isFocus(event) ? event.pid : null });
    lanes.redraw();
  };
  const lanes = drawLanes(container, model, context, () => span, choose);
  const panel = addPanel(container, 'Events', 'choose one to mark its time in all views');
  const chosen = events.findIndex(({ ts }) => ts === span?.start);
  const endTable = drawTable(panel, eventTable(model), {
    origin_ns: model.origin_ns,
    name: 'focus-and-input/events',
    chosen: chosen === -1 ? null : chosen,
    onChoose: (row) => choose(events[row] ?? null),
  });
  return () => {
    lanes.end();
    endTable();
    container.replaceChildren();
  };
}

function drawLanes(
  container: HTMLElement,
  model: FocusAndInputModel,
  context: Context,
  chosen: () => TimeRange | null,
  choose: (event: EventRow | null) => void,
): { readonly redraw: () => void; readonly end: () => void } {
  const panel = addPanel(container, 'Focus and input over time', summary(model));
  const tooltip = makeTooltip(panel);
  drawLegend(panel, focusLegend(paletteOf(panel)));
  const { plot, range, end } = followRange(MARGINS, context, (range, dragged) =>
    livePlot(
      panel,
      'Which process had the focus, keys and mouse over time. The table below holds the events.',
      MARGINS,
      focusChart(model, range, chosen, dragged),
    ),
  );
  plot.element.style.height = `${lanesHeight(model)}px`;
  const eventUnder = (event: PointerEvent): EventRow | null => {
    const current = plot.current();
    if (current === null) return null;
    const box = plot.element.getBoundingClientRect();
    const px = event.clientX - box.left - MARGINS.left;
    if (px < 0 || px > current.width) return null;
    return eventAt(model, [px, event.clientY - box.top - MARGINS.top], range(), current.width);
  };
  let pressedAt = 0;
  d3.select(plot.element)
    .on('pointerdown', (event: PointerEvent) => (pressedAt = event.clientX))
    .on('pointermove', (event: PointerEvent) => {
      const under = eventUnder(event);
      if (under === null || event.buttons !== 0) tooltip.hide();
      else tooltip.show(event, eventLines(under, model.origin_ns));
    })
    .on('pointerleave', () => tooltip.hide())
    .on('click', (event: PointerEvent) => {
      if (Math.abs(event.clientX - pressedAt) < 4) choose(eventUnder(event));
    });
  return { redraw: () => plot.redraw(), end };
}

function eventLines(event: EventRow, origin_ns: number): readonly string[] {
  const at = formatTime(event.ts, origin_ns);
  if (isFocus(event)) {
    const since = event.open_start ? 'since before the trace' : `from ${at}`;
    const length = `${event.open_start || event.open_end ? 'at least ' : ''}${formatDuration(event.dur)}`;
    return [processWords(event), `had the focus ${since}, for ${length}`];
  }
  return [`${inputWords(event)} at ${at}`, event.focus === null ? 'no focus known' : `focus: ${event.focus}`];
}
