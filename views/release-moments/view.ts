import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawReleaseMoments } from './draw.ts';
import { loadReleaseMoments } from './load.ts';
import type { ReleaseMomentsModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { releaseMomentsTables } from './tables.ts';

/** At which instants did most waiting end, and who ended it? */
export const releaseMoments: View<typeof params, ReleaseMomentsModel> = {
  id: 'release-moments',
  title: 'Release moments',
  question: 'At which instants did most waiting end, and who ended it?',
  params,
  modules: ['etw.ready_wait_columns'],
  recording,
  load: loadReleaseMoments,
  tables: releaseMomentsTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawReleaseMoments(container, model, context),
};
