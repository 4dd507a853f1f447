import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawFocusAndInput } from './draw.ts';
import { loadFocusAndInput } from './load.ts';
import type { FocusAndInputModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { focusAndInputTables } from './tables.ts';

/** Which process had the focus, and what did the user do? */
export const focusAndInput: View<typeof params, FocusAndInputModel> = {
  id: 'focus-and-input',
  title: 'Focus and input',
  question: 'Which process had the focus, and what did the user do?',
  params,
  modules: ['etw.focus'],
  recording,
  load: loadFocusAndInput,
  tables: focusAndInputTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawFocusAndInput(container, model, context),
};
