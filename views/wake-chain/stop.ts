import { formatDuration } from '../../shared/model/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { ChainLink, StopReason } from './model.ts';
import type { Wait } from './thread-rows.ts';

/** What is known where a chain may end. */
export interface ChainEnd {
  /** The wait that began as the last thread was woken; null where no wake is known. */
  readonly woken: Wait | null;
  /** When the thread had last blocked before; null if not within the trace. */
  readonly block_ts: number | null;
  /** When it was created; null if before the trace. */
  readonly create_ts: number | null;
  /** Whether events are missing between then and its run. */
  readonly events_lost: boolean;
}

/** What is said of the thread where the chain ends. */
const ENDS: Readonly<Record<Exclude<StopReason, 'depth'>, string>> = {
  dpc: 'was woken from a DPC (a timer, finished I/O or another interrupt): no thread stands behind it.',
  idle: 'was woken while the CPU was idle, outside any thread.',
  trace_start: 'has not been blocked since the trace started: what woke it lies before.',
  created: 'was created in the trace and has not been blocked since.',
  lost_events: 'ran again after being blocked, but events were lost meanwhile: what woke it is not known.',
  no_ready_event: 'ran again after being blocked, but no ready event was recorded for it.',
};

/** Why the chain ends here, or null if it goes on to a waker. */
export function stopReason({ woken, block_ts, create_ts, events_lost }: ChainEnd): StopReason | null {
  if (woken !== null) {
    if (woken.waker_utid !== null) return null;
    return woken.waker_in_dpc === 0 ? 'idle' : 'dpc';
  }
  if (block_ts !== null) return events_lost ? 'lost_events' : 'no_ready_event';
  return create_ts === null ? 'trace_start' : 'created';
}

/** The reason in words; `last` is the link where the chain ends. */
export function stopSentence(reason: StopReason, last: ChainLink | undefined): string {
  if (reason === 'depth') return 'The chain goes on: the depth limit is reached.';
  const sentence = `${last === undefined ? 'It' : threadLabel(last)} ${ENDS[reason]}`;
  const { blocked_ns = null, blocked_since_start = true, wait_reason = null } = last ?? {};
  if (reason !== 'dpc' || blocked_ns === null || blocked_since_start) return sentence;
  const why = wait_reason === null ? '' : ` (${wait_reason})`;
  return `${sentence} It had been blocked for ${formatDuration(blocked_ns)}${why}; go past the DPC to see what it did before.`;
}
