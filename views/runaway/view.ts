import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawRunaway } from './draw.ts';
import { loadRunaway } from './load.ts';
import type { RunawayModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { runawayTables } from './tables.ts';

/** Which threads used CPU time since the start, and at what? */
export const runaway: View<typeof params, RunawayModel> = {
  id: 'runaway',
  title: 'Runaway threads',
  question: 'Which threads used CPU time since the start, and at what?',
  params,
  modules: ['etw.process', 'etw.cpu', 'etw.sample', 'etw.sample_columns'],
  recording,
  load: loadRunaway,
  tables: runawayTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawRunaway(container, model, context),
};
