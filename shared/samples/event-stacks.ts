import { bisectLeft } from 'd3';
import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, numberAt, textAt } from '../tables/index.ts';

/** Kinds of kernel events, as `etw_event_stack` names them. */
export type StackedEvent = 'context_switch' | 'ready_thread';

/** The innermost call of the stack that was recorded with the event at a time in ns; −1 for none. */
export type EventStacks = (ts: number) => number;

const kept = keepLast<EventStacks>();
const NO_CALL = -1;

/** The stacks of all events of a kind. */
export function loadEventStacks(query: Query, event: StackedEvent): Promise<EventStacks> {
  return kept(query, event, async () => {
    const { tables } = dataOf(query);
    const count = await tables.rowCount('etw_event_stack');
    const [ts, callsite] = [new Float64Array(count), new Int32Array(count)];
    let found = 0;
    const names = ['ts', 'kind', 'callsite'] as const;
    for await (const { rowCount, columns } of tables.batches('etw_event_stack', names, undefined, 'once')) {
      for (let row = 0; row < rowCount; row++) {
        if (textAt(columns.kind, row) !== event) continue;
        ts[found] = columns.ts.values[row] ?? 0;
        callsite[found++] = numberAt(columns.callsite, row) ?? NO_CALL;
      }
    }
    // No two events of a trace have the same time.
    return (at) => {
      const row = bisectLeft(ts, at, 0, found);
      return row < found && ts[row] === at ? (callsite[row] ?? NO_CALL) : NO_CALL;
    };
  });
}
