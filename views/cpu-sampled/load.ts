import { keepLast, type Query } from '../../shared/engine/index.ts';
import { labelFrames, loadCalls, loadSamples } from '../../shared/samples/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { inCallOrder } from './call-order.ts';
import { growFlame } from './flame.ts';
import { sumFunctions } from './functions.ts';
import { findHotLoops } from './hot-loops.ts';
import type { CpuSampledModel } from './model.ts';
import { missingNotes } from './notes.ts';
import { framesOf, params as specs, type CpuSampledParams } from './params.ts';
import { pickSamples } from './pick.ts';
import recordedSql from './recorded.sql';
import { labelCalls, sumCalls } from './sum-calls.ts';

const keep = keepLast<CpuSampledModel>();

/** Asks for all that the view shows of `range`. The model is kept while only how it is drawn changes, as by a search. */
export function loadCpuSampled(
  query: Query,
  params: CpuSampledParams,
  range: TimeRange,
): Promise<CpuSampledModel> {
  const key = JSON.stringify([range, { ...params, search: null, shape: null, zoom: null }]);
  return keep(query, key, () => countSamples(query, params, range));
}

async function countSamples(
  query: Query,
  params: CpuSampledParams,
  range: TimeRange,
): Promise<CpuSampledModel> {
  const bounds = { range_start: Math.floor(range.start), range_end: Math.ceil(range.end) };
  const [recorded] = (await query(recordedSql, bounds)).rows();
  // Asked for at once, so that the engine works on one while another is read.
  const [inTime, calls, threads] = await Promise.all([
    loadSamples(query, range),
    loadCalls(query),
    loadThreadNames(query),
  ]);
  const samples = inCallOrder(inTime, calls.caller.length);
  const picked = pickSamples(samples, calls, threads, params);
  const labels = labelFrames(calls, framesOf(params));
  const labelled = labelCalls(calls, labels);
  const sums = sumCalls(picked.groups, samples, calls, labelled, labels.count);
  const least = (params.least ?? specs.least.default) / 100;
  const root = growFlame(picked.groups, samples, calls, labels, sums, least);
  return {
    origin_ns: Number(recorded?.start_ts ?? 0),
    notes: missingNotes({
      has_samples: recorded?.has_samples === 1,
      has_stacks: recorded?.has_stacks === 1,
      has_symbols: recorded?.has_symbols === 1,
      losses: Number(recorded?.losses ?? 0),
    }),
    samples: picked.samples,
    all_samples: samples.count,
    interval_ns: picked.weight_ns === 0 ? null : picked.weight_ns / picked.samples,
    modes: picked.modes,
    root,
    groups: picked.groups.map(({ label, samples: count, modes }) => ({ label, samples: count, modes })),
    ...sumFunctions(sums, calls, labels, labelled, {
      chosen: params.function,
      rows: params.rows ?? specs.rows.default,
    }),
    hot_loops: findHotLoops(picked.groups, samples, calls, threads, {
      bytes: params.loop_bytes ?? specs.loop_bytes.default,
      share: (params.loop_share ?? specs.loop_share.default) / 100,
    }),
  };
}
