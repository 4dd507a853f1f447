import { bisectLeft } from 'd3';
import { keepLast, type Query } from '../engine/index.ts';
import eventStacksSql from './event-stacks.sql';

/** Kinds of kernel events, as `etw_event_stack` names them. */
export type StackedEvent = 'context_switch' | 'ready_thread';

/** The innermost call of the stack that was recorded with the event at a time in ns; −1 for none. */
export type EventStacks = (ts: number) => number;

const kept = keepLast<EventStacks>();

/** The stacks of all events of a kind. They are in the whole trace alone: where only its outline is there, it is loaded. */
export function loadEventStacks(query: Query, event: StackedEvent): Promise<EventStacks> {
  return kept(query, event, async () => {
    const rows = await query(eventStacksSql, { kind: event });
    const [ts, callsite] = [rows.numbers('ts'), rows.numbers('callsite')];
    // No two events of a trace have the same time.
    return (at) => {
      const row = bisectLeft(ts, at);
      return ts[row] === at ? (callsite[row] ?? -1) : -1;
    };
  });
}
