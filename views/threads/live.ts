import type { TimeRange } from '../../shared/view/index.ts';
import type { ThreadsModel } from './model.ts';

/** When the threads of a process were created and ended: in order, 0 for "before the trace". */
export interface Births {
  readonly created: Float64Array;
  readonly ended: Float64Array;
}

/** Live threads of a process, and what came and went, in a range. */
export interface Live {
  readonly created: number;
  readonly ended: number;
  readonly at_start: number;
  readonly at_end: number;
  readonly most: number;
  /** At the start of each step, and at the end of the last. */
  readonly live: readonly number[];
}

/** Counts live threads. A thread that ends as another is created makes room for it. */
export function countLive({ created, ended }: Births, range: TimeRange, steps: ThreadsModel['steps']): Live {
  let [births, deaths] = [0, 0];
  const goTo = (ts: number) => {
    while ((created[births] ?? Infinity) < ts) births++;
    while ((ended[deaths] ?? Infinity) < ts) deaths++;
    return births - deaths;
  };
  const at_start = goTo(range.start);
  const before = { births, deaths };
  const live: number[] = [];
  let most = at_start;
  for (let step = 0; step <= steps.count; step++) {
    const until = Math.min(range.end, steps.ts + step * steps.dur);
    while (Math.min(created[births] ?? Infinity, ended[deaths] ?? Infinity) < until) {
      if ((ended[deaths] ?? Infinity) <= (created[births] ?? Infinity)) deaths++;
      else births++;
      most = Math.max(most, births - deaths);
    }
    live.push(births - deaths);
  }
  return {
    created: births - before.births,
    ended: deaths - before.deaths,
    at_start,
    at_end: births - deaths,
    most,
    live,
  };
}

/** Counts times in each step. */
export function addToSteps(counts: number[], times: Float64Array, steps: ThreadsModel['steps']): void {
  for (const ts of times) {
    const step = Math.floor((ts - steps.ts) / steps.dur);
    const count = counts[step];
    if (count !== undefined) counts[step] = count + 1;
  }
}
