import type { ViewContext } from '../../shared/view/index.ts';
import { formatCount, formatShown } from '../../shared/model/index.ts';
import { empty, lanes, pageView, panel, chooseAndZoom, table, type Page, rowChoice } from '../kit/index.ts';
import { laneLines, rankChart } from './chart.ts';
import { loadRankHistory } from './load.ts';
import type { RankHistoryModel } from './model.ts';
import { params, recording } from './params.ts';
import { changeTable, laneTable, rankHistoryTables } from './tables.ts';
import sql from './query.sql';

/** How high the lanes are at most; more scroll, since those out of sight would be drawn in each frame of a zoom. */
const LANES_PX = 540;

/** Which threads left rank 0, and when? */
export const rankHistory = pageView({
  id: 'rank-history',
  title: 'Rank history',
  question: 'Which threads left rank 0, and when?',
  sql,
  params,
  modules: ['etw.ready_wait', 'etw.focus'],
  recording,
  load: loadRankHistory,
  tables: rankHistoryTables,
  page,
});

function page(model: RankHistoryModel, context: ViewContext<typeof params>): Page {
  const { changes, change_count, thread_count } = model;
  if (model.lanes.length === 0) return [empty('No ranks above 0 here', summary(model))];
  const threads = formatShown(model.lanes.length, thread_count);
  const changed =
    change_count === 0
      ? 'none in this range'
      : `${formatShown(changes.length, change_count)}, choose one to see how long the rank was kept`;
  return [
    panel('Rank over time', `${threads}, longest at a rank above 0 first; ${summary(model)}`, [
      lanes({
        label:
          'The rank of each thread over time. The table below holds the changes; the key T shows all spans.',
        chart: rankChart(model),
        most_px: LANES_PX,
        at: (at, { ts }) => {
          const lane = model.lanes[at];
          return lane === undefined ? null : { lines: laneLines(model, lane, ts) };
        },
      }),
    ]),
    panel('Changes of rank', changed, [
      change_count === 0
        ? null
        : table(changeTable(model), {
            chosen: ({ span, thread }) =>
              changes.findIndex(({ ts, tid }) => ts === span?.start && tid === thread?.tid),
            choose: rowChoice(changes, (change) =>
              chooseAndZoom(context, { ...change, dur: change.kept_ns }),
            ),
          }),
    ]),
    panel('Threads with a rank above 0', threads, [table(laneTable(model))], { table_px: 180 }),
  ];
}

/** What the view found, in a sentence. */
function summary({ thread_count, change_count }: RankHistoryModel): string {
  if (thread_count === 0) return 'No thread is known to have had a rank above 0 here.';
  const threads = thread_count === 1 ? 'One thread' : `${formatCount(thread_count)} threads`;
  const changes = change_count === 1 ? 'one change' : `${formatCount(change_count)} changes`;
  return `${threads} had a rank above 0, with ${changes} of rank.`;
}
