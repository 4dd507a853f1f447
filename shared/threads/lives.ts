import { oncePerTrace } from '../engine/index.ts';
import { numberAt, type Stretch, type Tables } from '../tables/index.ts';

/** When the threads of a process were created and ended: in order, 0 for "before the trace". */
export interface Births {
  readonly created: Float64Array;
  readonly ended: Float64Array;
}

const THREAD = ['upid', 'tid', 'create_ts', 'exit_ts'] as const;

/** When the threads of each process, by upid, were created and ended. Read once. */
export const loadBirths = oncePerTrace(async (tables: Tables): Promise<ReadonlyMap<number, Births>> => {
  const lists = new Map<number, { readonly created: number[]; readonly ended: number[] }>();
  for await (const { rowCount, columns } of tables.batches('etw_thread', THREAD))
    for (let row = 0; row < rowCount; row++) {
      const upid = numberAt(columns.upid, row);
      if (upid === null || columns.tid.values[row] === 0) continue;
      let of = lists.get(upid);
      if (of === undefined) lists.set(upid, (of = { created: [], ended: [] }));
      of.created.push(numberAt(columns.create_ts, row) ?? 0);
      const exit_ts = numberAt(columns.exit_ts, row);
      if (exit_ts !== null) of.ended.push(exit_ts);
    }
  const inOrder = (times: readonly number[]) => Float64Array.from(times).sort();
  return new Map(
    Array.from(lists, ([upid, { created, ended }]) => [
      upid,
      { created: inOrder(created), ended: inOrder(ended) },
    ]),
  );
});
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
