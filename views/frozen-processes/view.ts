import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawFrozenProcesses } from './draw.ts';
import { loadFrozenProcesses } from './load.ts';
import type { FrozenProcessesModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { frozenProcessesTables } from './tables.ts';

/** Which processes were frozen, by whom, and what waited? */
export const frozenProcesses: View<typeof params, FrozenProcessesModel> = {
  id: 'frozen-processes',
  title: 'Frozen processes',
  question: 'Which processes were frozen, by whom, and what waited?',
  params,
  modules: ['etw.ready_wait'],
  recording,
  load: loadFrozenProcesses,
  tables: frozenProcessesTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawFrozenProcesses(container, model, context),
};
