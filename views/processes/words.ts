import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import { fitted } from '../kit/index.ts';
import {
  exitsOf,
  lifeLabel,
  type EndedProcess,
  type ExitQueue,
  type ProcessesModel,
  type ProcessLife,
} from './model.ts';

const processes = (count: number) => `${formatCount(count)} ${count === 1 ? 'process' : 'processes'}`;

/** What is shown, in numbers. */
export function summary(model: ProcessesModel): string {
  const shown = model.processes;
  const created = shown.filter(({ create_ts }) => create_ts !== null).length;
  const ended = shown.filter(({ exit_ts }) => exit_ts !== null).length;
  const part =
    shown.length === model.all
      ? processes(shown.length)
      : `${formatCount(shown.length)} of ${processes(model.all)}`;
  return `${part}: ${formatCount(created)} created and ${formatCount(ended)} gone within the trace.`;
}

function costSentence(count: number, median: number, longest: EndedProcess): string {
  const { dur } = longest.exit;
  if (dur === 0) return count === 1 ? 'The exit took no measured time.' : 'The exits took no measured time.';
  return count === 1
    ? `The exit of ${lifeLabel(longest)} took ${formatDuration(dur)}.`
    : `The median exit took ${formatDuration(median)}, the longest, that of ${lifeLabel(longest)}, ${formatDuration(dur)}.`;
}

/** What exits cost, and whether they queued. */
export function exitSentences(model: ProcessesModel): readonly string[] {
  const exits = exitsOf(model);
  const [longest] = exits;
  if (longest === undefined) return [];
  const sorted = exits.map(({ exit }) => exit.dur).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const cost = costSentence(exits.length, median, longest);
  if (!model.has_waits) return [cost];
  const queues = model.queues.map((queue) => queueSentence(queue, model.origin_ns));
  const held = new Set(model.queues.map(({ reason }) => reason));
  const waiter = model.waiters.find(({ reason }) => held.has(reason));
  const waited =
    waiter === undefined
      ? []
      : [
          `${waiter.thread} waited for exiting processes as well: up to ${formatDuration(waiter.longest_ns)}${because(waiter.reason)}.`,
        ];
  return [cost, ...queues, ...waited];
}

function queueSentence(queue: ExitQueue, origin_ns: number): string {
  const { ts, dur, exits, per_exit_ns, exiting, reason } = queue;
  return `${formatCount(exits)} exits went one at a time from ${formatTime(ts, origin_ns)} on, within ${formatDuration(dur)}, ${formatDuration(per_exit_ns)} each, while up to ${formatCount(exiting)} were under way: each was let go by the one before${because(reason)}.`;
}

const because = (reason: string | null) => (reason === null ? '' : ` (${reason})`);

/** What a pointer on a process tells. */
export function lifeLines(life: ProcessLife, origin_ns: number): readonly string[] {
  const { create_ts, exit_ts, exit, command_line, services } = life;
  const lines = [lifeLabel(life)];
  if (command_line !== null) lines.push(fitted(command_line, 90));
  if (services !== null) lines.push(`services: ${services}`);
  lines.push(
    create_ts === null ? 'created before the trace' : `created at ${formatTime(create_ts, origin_ns)}`,
  );
  if (create_ts !== null && exit_ts !== null) lines.push(`lived ${formatDuration(exit_ts - create_ts)}`);
  if (exit === null) return lines;
  lines.push(`exit took ${formatDuration(exit.dur)}, from ${formatTime(exit.ts, origin_ns)} on`);
  const { wait } = exit;
  if (wait !== null)
    lines.push(`blocked ${formatDuration(wait.dur)}${because(wait.reason)}, let go by ${wait.let_go_by}`);
  return lines;
}
