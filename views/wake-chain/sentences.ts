import { formatCount, formatDuration } from '../../shared/model/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { Lanes, StateSpan } from './lanes.ts';
import type { ChainLink, WakeChainModel } from './model.ts';

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
  const before = link.before_dpc ? ', and then blocked until the DPC' : '';
  return `${threadLabel(link)}: ${parts.filter((part) => part !== null).join(', ')}${before}.`;
}

/** With which link most time went by, in words; null where there is no chain. */
export function longestSentence({ links, longest }: WakeChainModel): string | null {
  const link = longest === null ? undefined : links[longest.link];
  if (longest === null || link === undefined) return null;
  const took = `${longest.at_least ? 'at least ' : ''}${formatDuration(longest.took_ns)}`;
  const thread = threadLabel(link);
  if (longest.was_blocked) {
    const why = link.wait_reason === null ? '' : ` (${link.wait_reason})`;
    return `Most time went by while ${thread} was blocked${why}: ${took}.`;
  }
  if (longest.link === 0) return `Most time went by while ${thread} was ready: ${took}.`;
  const next = links[longest.link - 1];
  const until = link.before_dpc || next === undefined ? 'a DPC woke it' : `it woke ${threadLabel(next)}`;
  const runs = link.runs > 1 ? ` in ${formatCount(link.runs)} runs` : '';
  return `Most time went by with ${thread}: ${took} until ${until}. The thread ran for ${formatDuration(link.ran_ns)} of that${runs}.`;
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
