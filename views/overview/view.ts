import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawOverview } from './draw.ts';
import { loadLater } from './load-later.ts';
import { loadOverview } from './load.ts';
import type { OverviewModel } from './model.ts';
import { params } from './params.ts';
import { overviewTables } from './tables.ts';

/** What is in this trace, and what is wrong in it? */
export const overview: View<typeof params, OverviewModel> = {
  id: 'overview',
  title: 'Overview',
  question: 'What is in this trace, and what is wrong in it?',
  params,
  modules: ['etw.focus', 'etw.freeze'],
  fromColumns: true,
  whole: true,
  load: loadOverview,
  later: { modules: ['etw.cpu', 'etw.ready_wait', 'etw.sample'], rules: true, load: loadLater },
  tables: overviewTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawOverview(container, model, context),
};
