import { queuesIn } from '../../shared/exits/index.ts';
import type { Exit, ExitQueue, ExitWait } from './model.ts';
import { mostAtOnce } from './rates.ts';

/** Fewer exits that waited for one another are no queue. */
const LEAST_EXITS = 2;

type QueuedExit = Exit & { readonly wait: ExitWait };

/** Joins exits that were let go by the one before into queues: those whose waits and exits overlap are of one. */
export function queuesOf(exits: readonly Exit[]): readonly ExitQueue[] {
  const queued = exits.filter((exit): exit is QueuedExit => exit.wait !== null && exit.wait.before !== null);
  const groups = queuesIn(queued, ({ ts, dur, wait }) => ({ ts: wait.ts, te: ts + dur }));
  return groups.filter(({ length }) => length >= LEAST_EXITS).map((group) => queueOf(group, exits));
}

function queueOf(queued: readonly QueuedExit[], all: readonly Exit[]): ExitQueue {
  const ts = queued.reduce((least, { wait }) => Math.min(least, wait.ts), Infinity);
  const end = queued.reduce((most, exit) => Math.max(most, exit.ts + exit.dur), 0);
  const reasons = new Map<string, number>();
  for (const { wait } of queued) {
    if (wait.reason !== null) reasons.set(wait.reason, (reasons.get(wait.reason) ?? 0) + 1);
  }
  const [reason = null, reason_exits = 0] = [...reasons].sort(([, a], [, b]) => b - a)[0] ?? [];
  return {
    ts,
    dur: end - ts,
    exits: queued.length,
    per_exit_ns: Math.round((end - ts) / queued.length),
    exiting: mostAtOnce(all.filter((exit) => exit.ts < end && exit.ts + exit.dur > ts)),
    reason,
    reason_exits,
  };
}
