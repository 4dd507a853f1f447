import type { TimeRange } from '../../shared/view/index.ts';
import type { Exit, ProcessLife, RateStep } from './model.ts';

/** Counts what comes and goes in each of `count` steps of a range, and how many exits are under way. */
export function ratesOf(
  processes: readonly Pick<ProcessLife, 'create_ts' | 'exit_ts' | 'exit'>[],
  range: TimeRange,
  count: number,
): readonly RateStep[] {
  const dur = Math.max(1, Math.ceil((range.end - range.start) / count));
  const steps = Array.from({ length: Math.ceil((range.end - range.start) / dur) }, (_, index) => ({
    ts: range.start + index * dur,
    dur,
    created: 0,
    ended: 0,
    exiting: 0,
  }));
  const stepAt = (ts: number | null) =>
    ts === null || ts < range.start || ts >= range.end
      ? undefined
      : steps[Math.floor((ts - range.start) / dur)];
  for (const { create_ts, exit_ts } of processes) {
    const [creation, end] = [stepAt(create_ts), stepAt(exit_ts)];
    if (creation !== undefined) creation.created++;
    if (end !== undefined) end.ended++;
  }
  const exits = processes.flatMap(({ exit }) => (exit === null ? [] : [exit]));
  let under_way = 0;
  let changes = changesOf(exits);
  for (const step of steps) {
    step.exiting = under_way;
    let taken = 0;
    for (const { ts, by } of changes) {
      if (ts >= step.ts + dur) break;
      taken++;
      under_way += by;
      // What came before the range counts where the range begins.
      if (ts < step.ts) step.exiting = under_way;
      else step.exiting = Math.max(step.exiting, under_way);
    }
    changes = changes.slice(taken);
  }
  return steps;
}

/** The most exits that were under way at once. */
export function mostAtOnce(exits: readonly Exit[]): number {
  let [now, most] = [0, 0];
  for (const { by } of changesOf(exits)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

/** Beginnings and ends of exits, in the order of time; an end at the time of a beginning comes first. */
function changesOf(exits: readonly Exit[]): readonly { readonly ts: number; readonly by: 1 | -1 }[] {
  return exits
    .flatMap(({ ts, dur }) => [{ ts, by: 1 } as const, { ts: ts + dur, by: -1 } as const])
    .sort((a, b) => a.ts - b.ts || a.by - b.by);
}
