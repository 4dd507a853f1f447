import { formatCount, formatDuration } from '../../shared/model/index.ts';
import type { Lanes, StateSpan } from './lanes.ts';
import { threadLabel, type ChainLink, type WakeChainModel } from './model.ts';

/** A link in words. */
export function linkSentence(link: ChainLink): string {
  const { ready_ns, blocked_ns, blocked_since_start, wait_reason, woken_by } = link;
  const parts = [
    blocked_ns === null
      ? null
      : `blocked for ${blocked_since_start ? 'at least ' : ''}${formatDuration(blocked_ns)}${wait_reason === null ? '' : ` (${wait_reason})`}`,
    woken_by === null ? null : `woken by ${woken_by}`,
    ready_ns === null ? null : `ready for ${formatDuration(ready_ns)}`,
    `ran for ${formatDuration(link.ran_ns)}${link.runs > 1 ? ` in ${formatCount(link.runs)} runs` : ''} at priority ${link.priority ?? '–'}, rank ${link.rank ?? '–'}`,
  ];
  return `${threadLabel(link)}: ${parts.filter((part) => part !== null).join(', ')}.`;
}

/** What was released, in words. */
export function releaseSentence({ released, released_cut, by_process }: WakeChainModel): string {
  if (released.length === 0) return 'It woke no thread before it blocked.';
  const sum_ns = released.reduce((sum, { waited_ns }) => sum + waited_ns, 0);
  const threads = by_process.reduce((sum, each) => sum + each.threads, 0);
  const count = (number: number, one: string, many: string) =>
    `${formatCount(number)} ${number === 1 ? one : many}`;
  const more = released_cut ? 'At least ' : '';
  const open = by_process.some(({ at_least }) => at_least) ? 'at least ' : '';
  return `${more}${count(threads, 'thread', 'threads')} of ${count(by_process.length, 'process', 'processes')} released, ending ${open}${formatDuration(sum_ns)} of waiting.`;
}

/** What a pointer at a span is told. */
export function spanLines({ threads }: Lanes, { lane, state, dur }: StateSpan): readonly string[] {
  const thread = threads[lane];
  return [
    thread === undefined ? '' : threadLabel(thread),
    `${state} for ${formatDuration(dur)}`,
    ...(typeof thread?.thread === 'string' ? [thread.thread] : []),
  ];
}
