import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawThreads } from './draw.ts';
import { loadThreads } from './load.ts';
import type { ThreadsModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { threadsTables } from './tables.ts';

/** How many threads were there, and what does one cost? */
export const threads: View<typeof params, ThreadsModel> = {
  id: 'threads',
  title: 'Threads and growth',
  question: 'How many threads were there, and what does one cost?',
  params,
  modules: ['etw.handle'],
  recording,
  load: loadThreads,
  tables: threadsTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawThreads(container, model, context),
};
