import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { Freeze, FrozenProcessesModel } from './model.ts';

/** From when to when a process was frozen, and what that means, in words that cannot be misread. */
export function frozenWords({ ts, dur, start, end }: Freeze, origin_ns: number): string {
  const from = formatTime(ts, origin_ns);
  const to = formatTime(ts + dur, origin_ns);
  const length = formatDuration(dur);
  return `${span()}: its threads could not run`;

  function span(): string {
    if (start === 'before_trace')
      return `was frozen before the trace began, until ${to} (at least ${length})`;
    if (start === 'unknown') return `was frozen until ${to}, since when was not recorded (at most ${length})`;
    switch (end) {
      case 'thawed':
        return `frozen from ${from} to ${to} (${length})`;
      case 'exited':
        return `frozen from ${from} until it exited at ${to} (${length})`;
      case 'trace_end':
        return `frozen from ${from} on, still frozen when the trace ends (at least ${length})`;
    }
  }
}

/** What happened to the process's threads during a freeze and after it; empty where nothing is known. */
export function meanwhileWords(
  { readied_threads, first_readied, ran_ns, end, first_run }: Freeze,
  origin_ns: number,
): string {
  const sentences: string[] = [];
  if (first_readied !== null) {
    const threads =
      readied_threads === 1 ? 'One of them was' : `${formatCount(readied_threads ?? 0)} of them were`;
    const { ts, thread, by } = first_readied;
    const waker = by === 'a DPC' ? by : threadLabel(by);
    sentences.push(
      `${threads} readied meanwhile, first tid ${thread.tid} at ${formatTime(ts, origin_ns)} by ${waker}.`,
    );
  } else if (readied_threads === 0) sentences.push('None of them was readied meanwhile.');
  if (ran_ns !== null && ran_ns > 0) sentences.push(`They still ran for ${formatDuration(ran_ns)}.`);
  if (first_run !== null) {
    sentences.push(
      `First to run was tid ${first_run.thread.tid}, ${formatDuration(first_run.after_ns)} after the thaw.`,
    );
  } else if (end === 'thawed' && ran_ns !== null) sentences.push('None of them ran after the thaw.');
  return sentences.join(' ');
}

/** What the view found, in a sentence. */
export function summary({ lanes, freeze_count }: FrozenProcessesModel): string {
  if (freeze_count === 0) return 'No process is known to have been frozen here.';
  const freezes = freeze_count === 1 ? 'One freeze' : `${formatCount(freeze_count)} freezes`;
  const shown = lanes.reduce((count, lane) => count + lane.freezes.length, 0);
  const cut = shown < freeze_count ? `, the ${formatCount(shown)} longest of them` : '';
  const processes = lanes.length === 1 ? 'one process' : `${formatCount(lanes.length)} processes`;
  return `${freezes}${cut} of ${processes}.`;
}
