import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawProcesses } from './draw.ts';
import { loadExitWaits, loadProcesses } from './load.ts';
import type { ProcessesModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { processesTables } from './tables.ts';

/** Which processes came and went, and what did their ends cost? */
export const processes: View<typeof params, ProcessesModel> = {
  id: 'processes',
  title: 'Processes',
  question: 'Which processes came and went, and what did their ends cost?',
  params,
  modules: ['etw.process_exit'],
  recording,
  load: loadProcesses,
  later: {
    modules: ['etw.process_exit_wait'],
    load: (query, _params, _range, model) => loadExitWaits(query, model),
  },
  tables: processesTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawProcesses(container, model, context),
};
