import type { Query } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { upidsNamed } from './load.ts';
import type { SwitchesModel } from './model.ts';
import { countPairs } from './pairs.ts';
import type { SwitchesParams } from './params.ts';

/** Context switches looked at for pairs, about: each takes a look-up. */
const SWITCHES_MAX = 400_000;
/** Where not all are looked at, they are those at the start of so many steps of time. */
const STEPS = 1024;
/** Pairs in the model at most. */
const PAIRS_MAX = 200;

/** Adds who switches with whom, and who wakes whom. */
export async function loadPairs(
  query: Query,
  { process }: SwitchesParams,
  range: TimeRange,
  model: SwitchesModel,
): Promise<SwitchesModel> {
  const range_start = Math.floor(range.start);
  const range_end = Math.ceil(range.end);
  const all = model.switches.reduce((sum, switches) => sum + switches, 0);
  const few = all <= SWITCHES_MAX;
  const bucket_ns = Math.max(1, few ? range_end - range_start : Math.ceil((range_end - range_start) / STEPS));
  const window_ns = few ? bucket_ns : Math.max(1, Math.floor((bucket_ns * SWITCHES_MAX) / all));
  const one_in = bucket_ns / window_ns;
  const { tables } = dataOf(query);
  const names = await loadThreadNames(tables);
  const upids = upidsNamed(names, process);
  const windows = { range_start, range_end, bucket_ns, window_ns };
  const isWanted = (utid: number) => upids === null || upids.has(names.get(utid)?.upid ?? -1);
  const counted = await countPairs(tables, windows, isWanted);
  const threadOf = (utid: number) => ({
    label: threadLabel(names.get(utid)),
    tid: names.get(utid)?.tid ?? null,
  });
  const estimate = (count: number) => Math.round(count * one_in);
  const pairs = counted.slice(0, PAIRS_MAX).map(({ a, b, ...of }) => {
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
    return { a: threadOf(a), b: threadOf(b), ...counts, per_s: (most * 1e9) / model.dur_ns };
  });
  return { ...model, pairs: { pairs, pair_count: counted.length, one_in } };
}
