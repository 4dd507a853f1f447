import { keepLast, type Query } from '../../shared/engine/index.ts';
import {
  findHotLoops,
  pickSamples,
  placeLabels,
  profileOf,
  sumLabels,
  sumRuns,
  tellFunctions,
  type FunctionSums,
  type HotLoop,
  type LabelSums,
  type RunSums,
} from '../../shared/profile/index.ts';
import { boundsOf, knownOf, loadRecording } from '../../shared/recording/index.ts';
import { labelFrames, loadAllSamples, loadCalls } from '../../shared/samples/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { growFlame } from './flame.ts';
import type { CpuSampledModel } from './model.ts';
import { params as specs, type CpuSampledParams, recording as needs } from './params.ts';

const keepModel = keepLast<CpuSampledModel>();
/** What is kept of samples that filters let through: it does not depend on how they are grouped, nor on what is drawn. */
function makeKeeps() {
  const told = () => keepLast<FunctionSums>();
  return {
    sums: keepLast<RunSums>(),
    labelSums: keepLast<LabelSums>(),
    told: { function: told(), module: told(), address: told() },
    loops: keepLast<readonly HotLoop[]>(),
  };
}

// Of all samples, to which each filter returns, and of those that were let through last.
const [ofAll, ofSome] = [makeKeeps(), makeKeeps()];

/** Asks for all that the view shows of `range`. The model is kept while only how it is drawn changes, as by a search. */
export function loadCpuSampled(
  query: Query,
  params: CpuSampledParams,
  range: TimeRange,
): Promise<CpuSampledModel> {
  const key = JSON.stringify([range, { ...params, search: null, shape: null, zoom: null }]);
  return keepModel(query, key, () => countSamples(query, params, range));
}

async function countSamples(
  query: Query,
  params: CpuSampledParams,
  range: TimeRange,
): Promise<CpuSampledModel> {
  const bounds = boundsOf(range);
  // Asked for at once, so that the engine works on one while another is read.
  const [recording, all, calls, threads] = await Promise.all([
    loadRecording(query, needs, bounds),
    loadAllSamples(query),
    loadCalls(query),
    loadThreadNames(dataOf(query).tables),
  ]);
  const profile = profileOf(all, calls);
  const { runs } = profile;
  const picked = pickSamples(profile, calls, threads, params, range);
  const { process, tid, mode, module } = params;
  const filtered = JSON.stringify([range, process, tid, mode, module]);
  const keep = picked.samples === picked.all_samples ? ofAll : ofSome;
  const sums = await keep.sums(query, filtered, () => Promise.resolve(sumRuns(picked.pieces, runs)));
  const { frames } = params;
  const labels = labelFrames(calls, frames);
  const rows = params.rows ?? specs.rows.default;
  const told = await keep.told[frames](query, JSON.stringify([filtered, rows, params.function]), async () => {
    const places = placeLabels(runs, calls, labels);
    const labelSums = await keep.labelSums(query, JSON.stringify([filtered, frames, rows]), () =>
      Promise.resolve(sumLabels(sums, runs, labels, places, rows)),
    );
    return tellFunctions(labelSums, sums, runs, calls, labels, places, { chosen: params.function, rows });
  });
  const bytes = params.loop_bytes ?? specs.loop_bytes.default;
  const share = (params.loop_share ?? specs.loop_share.default) / 100;
  const hot_loops = await keep.loops(query, JSON.stringify([filtered, bytes, share]), () =>
    Promise.resolve(findHotLoops(picked.pieces, profile, calls, threads, { bytes, share })),
  );
  const least = (params.least ?? specs.least.default) / 100;
  return {
    ...knownOf(recording),
    samples: picked.samples,
    all_samples: picked.all_samples,
    interval_ns: picked.weight_ns === 0 ? null : picked.weight_ns / picked.samples,
    modes: picked.modes,
    root: growFlame(picked.groups, runs, calls, labels, sums, least),
    groups: picked.groups.map(({ label, samples: count, modes }) => ({ label, samples: count, modes })),
    ...told,
    hot_loops,
  };
}
