import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawIo } from './draw.ts';
import { loadWaits } from './load-waits.ts';
import { loadIo } from './load.ts';
import type { IoModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { ioTables } from './tables.ts';

/** Who read and wrote what, how long, and who waited? */
export const io: View<typeof params, IoModel> = {
  id: 'io',
  title: 'Disk and file I/O',
  question: 'Who read and wrote what, how long, and who waited?',
  params,
  modules: ['etw.io'],
  recording,
  load: loadIo,
  later: {
    modules: ['etw.ready_wait'],
    load: (query, _params, _range, model) => loadWaits(query, model),
  },
  tables: ioTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawIo(container, model, context),
};
