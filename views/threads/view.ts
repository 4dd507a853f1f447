import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawThreads } from './draw.ts';
import { loadThreads } from './load.ts';
import type { ThreadsModel } from './model.ts';
import { params } from './params.ts';
import { threadsTables } from './tables.ts';

/** How many threads were there, and does the cost of one grow with their count? */
export const threads: View<typeof params, ThreadsModel> = {
  id: 'threads',
  title: 'Threads and growth',
  question: 'How many threads were there, and does the cost of one grow with their count?',
  params,
  modules: ['etw.handle', 'etw.trace'],
  load: loadThreads,
  tables: threadsTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawThreads(container, model, context),
};
