import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawRankHistory } from './draw.ts';
import { loadRankHistory } from './load.ts';
import type { RankHistoryModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { rankHistoryTables } from './tables.ts';

/** Which threads left rank 0, and when? */
export const rankHistory: View<typeof params, RankHistoryModel> = {
  id: 'rank-history',
  title: 'Rank history',
  question: 'Which threads left rank 0, and when?',
  params,
  modules: ['etw.ready_wait', 'etw.thread_rank', 'etw.focus'],
  recording,
  load: loadRankHistory,
  tables: rankHistoryTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawRankHistory(container, model, context),
};
