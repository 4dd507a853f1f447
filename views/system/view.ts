import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawSystem } from './draw.ts';
import { loadSystem } from './load.ts';
import type { SystemModel } from './model.ts';
import { params } from './params.ts';
import { systemTables } from './tables.ts';

/** Which machine was recorded, with what, and what is missing? */
export const system: View<typeof params, SystemModel> = {
  id: 'system',
  title: 'System',
  question: 'Which machine was recorded, with what, and what is missing?',
  params,
  modules: ['etw.process'],
  whole: true,
  load: loadSystem,
  tables: systemTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model) : drawSystem(container, model, context),
};
