import type { Selection, ViewContext } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  drawLaneChart,
  drawTable,
  drawUnrecorded,
  endAll,
  rangeAround,
  type LaneEvents,
} from '../kit/index.ts';
import { laneLines, rankChart } from './chart.ts';
import type { RankChange, RankHistoryModel, RankLane } from './model.ts';
import type { params } from './params.ts';
import { shownOf, summary } from './summary.ts';
import { changeTable, laneTable } from './tables.ts';

type Context = ViewContext<typeof params>;

/** Margin around a chosen span, as a part of its length. */
const ZOOM_MARGIN = 0.08;
/** How high the lanes are at most; more scroll, since those out of sight would be drawn in each frame of a zoom. */
const LANES_PX = 540;

/** Draws the view into a window. Returns what undoes it. */
export function drawRankHistory(
  container: HTMLElement,
  model: RankHistoryModel,
  context: Context,
): () => void {
  const unrecorded = drawUnrecorded(container, model.unrecorded);
  if (unrecorded !== null) return unrecorded;
  addNotes(container, model.notes);
  if (model.lanes.length === 0) {
    addEmpty(container, 'No ranks above 0 here', summary(model));
    return endAll([], container);
  }
  const origin = { origin_ns: model.origin_ns, context };
  const ends = [drawLanes(container, model, context)];
  const changed = shownOf(model.changes.length, model.change_count);
  const aside =
    model.change_count === 0
      ? 'none in this range'
      : `${changed}, choose one to see how long the rank was kept`;
  const changes = addPanel(container, 'Changes of rank', aside);
  if (model.change_count > 0) {
    ends.push(
      drawTable(changes, changeTable(model), {
        ...origin,
        name: 'rank-history/changes',
        chosen: (selection) => chosenRow(model.changes, selection),
        onChoose: (row) => choose(model.changes[row], context),
      }),
    );
  }
  const threads = addPanel(
    container,
    'Threads with a rank above 0',
    shownOf(model.lanes.length, model.thread_count),
  );
  threads.style.setProperty('--table-height', '180px');
  ends.push(drawTable(threads, laneTable(model), { ...origin, name: 'rank-history/threads' }));
  return endAll(ends, container);
}

function chosenRow(changes: readonly RankChange[], { span, thread }: Selection): number | null {
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
  const panel = {
    title: 'Rank over time',
    aside: `${shownOf(model.lanes.length, model.thread_count)}, longest at a rank above 0 first`,
    label: 'The rank of each thread over time. The table below holds the changes; the key T shows all spans.',
    most_px: LANES_PX,
  };
  const events: LaneEvents<RankLane> = {
    at: (lane) => model.lanes[lane] ?? null,
    lines: (lane, { ts }) => laneLines(model, lane, ts),
  };
  return drawLaneChart(container, panel, rankChart(model), events, context);
}
