import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawReadyLatency } from './draw.ts';
import { judgePending } from './judge-list.ts';
import { loadReadyLatency } from './load.ts';
import type { ReadyLatencyModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { readyLatencyTables } from './tables.ts';

/** Which threads were ready to run, and had to wait? */
export const readyLatency: View<typeof params, ReadyLatencyModel> = {
  id: 'ready-latency',
  title: 'Ready latency',
  question: 'Which threads were ready to run, and had to wait?',
  params,
  paramsFor: ({ span, thread }) =>
    span === null || thread === null ? {} : { wait_ts: span.start, wait_tid: thread.tid },
  modules: ['etw.cpu', 'etw.ready_wait_bin'],
  fromColumns: true,
  recording,
  load: loadReadyLatency,
  later: {
    modules: [],
    load: (query, _params, _range, model) => judgePending(query, model),
  },
  tables: readyLatencyTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawReadyLatency(container, model, context),
};
