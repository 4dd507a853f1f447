import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawSwitches } from './draw.ts';
import { loadEarly } from './load-early.ts';
import { loadPairs } from './load-pairs.ts';
import { loadSwitches } from './load.ts';
import type { SwitchesModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { switchesTables } from './tables.ts';

/** How often do CPUs switch threads, and which take turns? */
export const contextSwitches: View<typeof params, SwitchesModel> = {
  id: 'context-switches',
  title: 'Context switches',
  question: 'How often do CPUs switch threads, and which take turns?',
  params,
  modules: ['etw.process', 'etw.cpu', 'etw.sample'],
  recording,
  early: loadEarly,
  load: loadSwitches,
  later: { modules: ['etw.ready_wait'], load: loadPairs },
  tables: switchesTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawSwitches(container, model, context),
};
