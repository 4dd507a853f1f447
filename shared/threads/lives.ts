import { oncePerTrace } from '../engine/index.ts';
import type { Stretch } from '../tables/index.ts';
import livesSql from './lives.sql';

/** When the threads of a process were created and ended: in order, 0 for "before the trace". */
export interface Births {
  readonly created: Float64Array;
  readonly ended: Float64Array;
}

/** When the threads of each process, by upid, were created and ended. Asked for once. */
export const loadBirths = oncePerTrace(async (query) => {
  const rows = await query(livesSql);
  return groupBirths(rows.numbers('upid'), rows.numbers('create_ts'), rows.numbers('exit_ts'));
});

/** Puts the times of each process into lists in the order of time. An end of 0 is none. */
function groupBirths(
  upid: Float64Array,
  created: Float64Array,
  ended: Float64Array,
): ReadonlyMap<number, Births> {
  const sizes = new Map<number, { created: number; ended: number }>();
  upid.forEach((process, row) => {
    const size = sizes.get(process) ?? { created: 0, ended: 0 };
    size.created++;
    if (ended[row] !== 0) size.ended++;
    sizes.set(process, size);
  });
  const births = new Map<number, Births>();
  for (const [process, size] of sizes) {
    births.set(process, { created: new Float64Array(size.created), ended: new Float64Array(size.ended) });
    size.created = size.ended = 0;
  }
  upid.forEach((process, row) => {
    const [lists, size] = [births.get(process), sizes.get(process)];
    if (lists === undefined || size === undefined) return;
    lists.created[size.created++] = created[row] ?? 0;
    if (ended[row] !== 0) lists.ended[size.ended++] = ended[row] ?? 0;
  });
  for (const lists of births.values()) {
    lists.created.sort();
    lists.ended.sort();
  }
  return births;
}

/** Steps of time of one length. */
export interface Steps {
  readonly ts: number;
  readonly dur: number;
  readonly count: number;
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
export function countLive({ created, ended }: Births, range: Stretch, steps: Steps): Live {
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
export function addToSteps(counts: number[], times: Float64Array, steps: Steps): void {
  for (const ts of times) {
    const step = Math.floor((ts - steps.ts) / steps.dur);
    const count = counts[step];
    if (count !== undefined) counts[step] = count + 1;
  }
}
