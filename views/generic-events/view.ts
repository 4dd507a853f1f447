import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawEvents } from './draw.ts';
import { loadEvents } from './load.ts';
import type { EventsModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { eventsTables } from './tables.ts';

/** What did providers write, with which data? */
export const genericEvents: View<typeof params, EventsModel> = {
  id: 'generic-events',
  title: 'Generic events',
  question: 'What did providers write, with which data?',
  params,
  modules: ['etw.process', 'etw.generic_event_columns'],
  recording,
  load: loadEvents,
  tables: eventsTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawEvents(container, model, context),
};
