import { toNumber, type Query } from '../../shared/engine/index.ts';
import { loadThreadNames, threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { upidsNamed } from './load.ts';
import type { SwitchesModel } from './model.ts';
import pairsSql from './pairs.sql';
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
  const names = await loadThreadNames(query);
  const upids = upidsNamed(names, process);
  const rows = await query(pairsSql, {
    ...{ range_start, range_end, bucket_ns, window_ns, buckets: few ? 1 : STEPS, max_pairs: PAIRS_MAX },
    upids: upids === null ? null : JSON.stringify([...upids]),
  });
  const threadOf = (utid: number) => ({
    label: threadLabel(names.get(utid)),
    tid: names.get(utid)?.tid ?? null,
  });
  const estimate = (count: unknown) => Math.round(Number(count) * one_in);
  const pairs = [...rows.rows()].map((row) => {
    const counts = {
      switches_there: estimate(row.switches_there),
      switches_back: estimate(row.switches_back),
      wakes_there: estimate(row.wakes_there),
      wakes_back: estimate(row.wakes_back),
    };
    const most = Math.max(
      counts.switches_there + counts.switches_back,
      counts.wakes_there + counts.wakes_back,
    );
    return {
      a: threadOf(Number(row.a)),
      b: threadOf(Number(row.b)),
      ...counts,
      per_s: (most * 1e9) / model.dur_ns,
    };
  });
  const pair_count =
    toNumber(rows.rowCount === 0 ? 0 : rows.cell(0, rows.columns.indexOf('pair_count'))) ?? 0;
  return { ...model, pairs: { pairs, pair_count, one_in } };
}
