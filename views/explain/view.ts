import { pageView } from '../kit/index.ts';
import { loadExplain } from './load.ts';
import { explainPage } from './page.ts';
import { params, recording } from './params.ts';
import { explainTables } from './tables.ts';
import sql from './query.sql';

/** Where did the time of this thread go? */
export const explain = pageView({
  id: 'explain',
  title: 'Explain a delay',
  question: 'Where did the time of this thread go?',
  sql,
  params,
  paramsFor: ({ span, thread }) =>
    span === null || thread === null ? {} : { tid: thread.tid, from_ns: span.start, to_ns: span.end },
  modules: ['etw.io', 'etw.ready_wait'],
  recording,
  load: loadExplain,
  tables: explainTables,
  page: explainPage,
});
