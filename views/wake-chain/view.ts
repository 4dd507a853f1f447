import type { View } from '../../shared/view/index.ts';
import { drawStill } from './draw-still.ts';
import { drawWakeChain } from './draw.ts';
import { loadWakeChain } from './load.ts';
import type { WakeChainModel } from './model.ts';
import { params } from './params.ts';
import { recording } from './recording.ts';
import { wakeChainTables } from './tables.ts';

/** Who woke this thread, who woke that one, and what did it set free? */
export const wakeChain: View<typeof params, WakeChainModel> = {
  id: 'wake-chain',
  title: 'Wake chain',
  question: 'Who woke this thread, who woke that one, and what did it set free?',
  params,
  modules: ['etw.ready_wait'],
  recording,
  keys: [
    { key: '[', title: 'Step back along the chain, to the waker' },
    { key: ']', title: 'Step forward, to what was woken' },
  ],
  paramsFor: ({ span, thread }) =>
    span === null || thread === null ? {} : { ts: span.start, tid: thread.tid },
  load: loadWakeChain,
  tables: wakeChainTables,
  draw: (container, model, context) =>
    context.still ? drawStill(container, model, context) : drawWakeChain(container, model, context),
};
