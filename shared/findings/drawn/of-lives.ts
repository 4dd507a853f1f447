import { greatest, min, rollup } from 'd3';
import { loadExitWaits, queuesIn } from '../../exits/index.ts';
import { dataOf, readRows, type Tables } from '../../tables/index.ts';
import type { Draw, DrawnRow } from './draw.ts';

/** A series of fewer has no pace that could be told. */
const FEWEST = 64;
/** A series is looked at in so many parts of equal counts. */
const PARTS = 8;
/** How well place and pace have to go together. */
const LEAST_CORRELATION = 0.9;

/** What began or ended one after the other, in or by one process where one is known. */
interface Series {
  readonly what: string;
  readonly series: 'threads' | 'processes' | 'exits';
  readonly upid: number | null;
  readonly times: number[];
}

export const growingCost: Draw = async ({ query }, threshold) =>
  (await seriesOf(dataOf(query).tables)).flatMap((series) => {
    const { times } = series;
    return times.length < FEWEST ? [] : grown(series, Float64Array.from(times).sort(), threshold);
  });

async function seriesOf(tables: Tables): Promise<readonly Series[]> {
  const found = new Map<string, Series>();
  const add = (series: Series['series'], upid: number | null, ts: string | number | null) => {
    if (ts === null) return;
    const key = `${series} ${upid}`;
    const what = { threads: 'threads were made in', exits: 'processes ended' };
    const madeBy = upid === null ? 'processes were made' : 'processes were made by';
    const own = found.get(key) ?? {
      ...{ what: series === 'processes' ? madeBy : what[series], series, upid, times: [] },
    };
    found.set(key, own);
    own.times.push(Number(ts));
  };
  const keyOf = (upid: string | number | null) => (upid === null ? null : Number(upid));
  for (const { upid, create_ts } of await readRows(tables, 'etw_thread', ['upid', 'create_ts']))
    add('threads', keyOf(upid), create_ts);
  const columns = ['parent_upid', 'create_ts', 'exit_ts'] as const;
  for (const { parent_upid, create_ts, exit_ts } of await readRows(tables, 'etw_process', columns)) {
    add('processes', keyOf(parent_upid), create_ts);
    add('exits', null, exit_ts);
  }
  return [...found.values()];
}

/** A row where the last of a series, which are in order, took so much longer than the first. */
function grown({ what, series, upid }: Series, times: Float64Array, threshold: number): DrawnRow[] {
  const count = times.length;
  const at = (place: number) => times[place] ?? 0;
  // The first parts have one more where the count is no multiple.
  const endOf = (part: number) => part * Math.floor(count / PARTS) + Math.min(part, count % PARTS);
  const means_ns = Array.from({ length: PARTS }, (_, part) => {
    const first = Math.max(1, endOf(part));
    return (at(endOf(part + 1) - 1) - at(first - 1)) / (endOf(part + 1) - first);
  });
  const [first_ns = 0, last_ns = 0] = [means_ns[0], means_ns[PARTS - 1]];
  if (last_ns < threshold * first_ns || !(correlation(means_ns) >= LEAST_CORRELATION)) return [];
  // Time before the first gap is no part of the series.
  const [ts, te] = [at(1), at(count - 1)];
  const seconds_lost = (te - at(0) - (count - 1) * first_ns) / 1e9;
  return [{ ts, dur: te - ts, utid: null, upid, seconds_lost, what, series, count, first_ns, last_ns }];
}

/** The correlation of place and pace: 1 if each part is slower by the same; NaN where all are alike. */
function correlation(values: readonly number[]): number {
  const sum = (of: (value: number, place: number) => number) =>
    values.reduce((all, value, at) => all + of(value, at + 1), 0);
  const { length } = values;
  const [places, paces] = [sum((_, place) => place), sum((value) => value)];
  const spread =
    (length * sum((_, place) => place * place) - places * places) *
    (length * sum((value) => value * value) - paces * paces);
  return (length * sum((value, place) => value * place) - places * paces) / Math.sqrt(spread);
}

export const serialisedExits: Draw = async ({ query }, threshold) => {
  const { waits } = await loadExitWaits(query);
  const queued = waits.filter(({ before_upid }) => before_upid !== null);
  return queuesIn(queued, ({ ts, exit }) => ({ ts, te: exit.te }))
    .filter(({ length }) => length >= threshold)
    .flatMap((queue): DrawnRow[] => {
      const [ts, last] = [min(queue, (wait) => wait.ts), greatest(queue, ({ exit }) => exit.te)];
      if (ts === undefined || last === undefined) return [];
      const dur = last.exit.te - ts;
      const exits = queue.length;
      const counts = rollup(
        queue,
        ({ length }) => length,
        ({ reason }) => reason,
      );
      const [reason = null] = greatest(counts, ([, count]) => count) ?? [];
      return [
        {
          ...{ ts, dur, utid: last.wake.utid, upid: last.exit.upid, seconds_lost: dur / 1e9 },
          ...{ exits, per_exit_ns: Math.trunc(dur / exits), reason },
        },
      ];
    });
};
