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
import { laneAt, laneLines, lanesHeight, MARGINS, rankChart, rankLegend } from './chart.ts';
import type { RankChange, RankHistoryModel } from './model.ts';
import type { params } from './params.ts';
import { shownOf, summary } from './summary.ts';
import { changeTable, laneTable } from './tables.ts';

type Context = ViewContext<typeof params>;

/** Margin around a chosen span, as a part of its length. */
const ZOOM_MARGIN = 0.08;

/** Draws the view into a window. Returns what undoes it. */
export function drawRankHistory(
  container: HTMLElement,
  model: RankHistoryModel,
  context: Context,
): () => void {
  addNotes(container, model.notes);
  if (model.lanes.length === 0) {
    addEmpty(container, 'No ranks above 0 here', summary(model));
    return () => container.replaceChildren();
  }
  const origin = { origin_ns: model.origin_ns };
  const ends = [drawLanes(container, model, context)];
  const changes = addPanel(
    container,
    'Changes of rank',
    `${shownOf(model.changes.length, model.change_count)}, choose one to see how long the rank was kept`,
  );
  ends.push(
    drawTable(changes, changeTable(model), {
      ...origin,
      name: 'rank-history/changes',
      chosen: chosenRow(model.changes, context),
      onChoose: (row) => choose(model.changes[row], context),
    }),
  );
  const threads = addPanel(
    container,
    'Threads with a rank above 0',
    shownOf(model.lanes.length, model.thread_count),
  );
  threads.style.setProperty('--table-height', '180px');
  ends.push(drawTable(threads, laneTable(model), { ...origin, name: 'rank-history/threads' }));
  return () => {
    for (const end of ends) end();
    container.replaceChildren();
  };
}

function chosenRow(changes: readonly RankChange[], { selection }: Context): number | null {
  const { span, thread } = selection;
  const row = changes.findIndex(({ ts, tid }) => ts === span?.start && tid === thread?.tid);
  return row === -1 ? null : row;
}

function choose(change: RankChange | undefined, context: Context): void {
  if (change === undefined) return;
  const { ts, tid, pid, kept_ns } = change;
  const span = { start: ts, end: ts + kept_ns };
  context.select({ span, thread: { tid, ts }, pid });
  context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
}

function drawLanes(container: HTMLElement, model: RankHistoryModel, context: Context): () => void {
  const aside = `${shownOf(model.lanes.length, model.thread_count)}, longest at a rank above 0 first`;
  const panel = addPanel(container, 'Rank over time', aside);
  const tooltip = makeTooltip(panel);
  drawLegend(panel, rankLegend(paletteOf(panel), model));
  const { plot, range, end } = followRange(MARGINS, context, (range, dragged) =>
    livePlot(
      panel,
      'The rank of each thread over time. The table below holds the changes; the key T shows all spans.',
      MARGINS,
      rankChart(model, range, context.selection.span, dragged),
    ),
  );
  plot.element.style.height = `${lanesHeight(model)}px`;
  d3.select(plot.element)
    .on('pointermove', (event: PointerEvent) => {
      const current = plot.current();
      if (current === null) return;
      const box = plot.element.getBoundingClientRect();
      const px = event.clientX - box.left - MARGINS.left;
      const lane = laneAt(model, event.clientY - box.top - MARGINS.top);
      if (lane === null || px < 0 || px > current.width || event.buttons !== 0) tooltip.hide();
      else tooltip.show(event, laneLines(model, lane, timeScale(range(), current.width).invert(px)));
    })
    .on('pointerleave', () => tooltip.hide());
  return end;
}
