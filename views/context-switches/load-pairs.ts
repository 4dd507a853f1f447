import { sum } from 'd3';
import { keepLast, type Query } from '../../shared/engine/index.ts';
import { boundsOf } from '../../shared/recording/index.ts';
import { dataOf, KeySet, type Bounds } from '../../shared/tables/index.ts';
import { loadThreadNames, threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { upidsNamed } from './load.ts';
import type { Pairs, SwitchesModel } from './model.ts';
import { countPairs } from './pairs.ts';
import type { SwitchesParams } from './params.ts';

/** Context switches looked at for pairs, about: each takes a look-up. */
const SWITCHES_MAX = 400_000;
/** Where not all are looked at, they are those at the start of so many steps of time. */
const STEPS = 1024;
/** Pairs in the model at most. */
const PAIRS_MAX = 200;

/** Another grouping needs no new count. */
const keep = keepLast<Pairs>();

/** Adds who switches with whom, and who wakes whom. */
export async function loadPairs(
  query: Query,
  { process }: SwitchesParams,
  range: TimeRange,
  model: SwitchesModel,
): Promise<SwitchesModel> {
  const bounds = boundsOf(range);
  const key = `${bounds.range_start} ${bounds.range_end} ${process ?? ''}`;
  return { ...model, pairs: await keep(query, key, () => findPairs(query, process, bounds, model)) };
}

async function findPairs(
  query: Query,
  process: string | null,
  bounds: Bounds,
  { switches, dur_ns }: SwitchesModel,
): Promise<Pairs> {
  const range_ns = bounds.range_end - bounds.range_start;
  const all = sum(switches);
  const few = all <= SWITCHES_MAX;
  const bucket_ns = Math.max(1, few ? range_ns : Math.ceil(range_ns / STEPS));
  const window_ns = few ? bucket_ns : Math.max(1, Math.floor((bucket_ns * SWITCHES_MAX) / all));
  const one_in = bucket_ns / window_ns;
  const { tables } = dataOf(query);
  const names = await loadThreadNames(tables);
  const upids = upidsNamed(names, process);
  const wanted =
    upids && new KeySet([...names.keys()].filter((utid) => upids.has(names.get(utid)?.upid ?? -1)));
  const counted = await countPairs(tables, { ...bounds, bucket_ns, window_ns }, wanted, PAIRS_MAX);
  const threadOf = (utid: number) => ({
    label: threadLabel(names.get(utid)),
    tid: names.get(utid)?.tid ?? null,
  });
  const estimate = (count: number) => Math.round(count * one_in);
  const pairs = counted.pairs.map(({ a, b, ...of }) => {
    const counts = {
      switches_there: estimate(of.switches_there),
      switches_back: estimate(of.switches_back),
      wakes_there: estimate(of.wakes_there),
      wakes_back: estimate(of.wakes_back),
    };
    const most = Math.max(
      counts.switches_there + counts.switches_back,
      counts.wakes_there + counts.wakes_back,
    );
    return { a: threadOf(a), b: threadOf(b), ...counts, per_s: (most * 1e9) / dur_ns };
  });
  return { pairs, pair_count: counted.count, one_in };
}
