import { loadCounted, sumCounted } from '../../shared/cpu-sum/counted.ts';
import { loadCpuSteps } from '../../shared/cpu-sum/load-step.ts';
import type { Query } from '../../shared/engine/index.ts';
import { loadRecording } from '../../shared/recording/index.ts';
import { loadCalls, loadSamples } from '../../shared/samples/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { RunawayModel } from './model.ts';
import { loadRan } from './load-ran.ts';
import { params as specs, type RunawayParams, recording as needs } from './params.ts';
import { ranBySamples, sumThreads } from './sum-threads.ts';

/** Asks for all that the view shows: from the trace's start to the end of `range`. */
export async function loadRunaway(
  query: Query,
  params: RunawayParams,
  range: TimeRange,
): Promise<RunawayModel> {
  const range_end = Math.ceil(range.end);
  // Asked for at once, so that the engine works on one while another is read.
  const [recording, facts, calls, threads] = await Promise.all([
    loadRecording(query, needs, { range_start: 0, range_end }),
    loadCpuSteps(dataOf(query).tables),
    loadCalls(query),
    loadThreadNames(dataOf(query).tables),
  ]);
  const { origin_ns, unrecorded, notes } = recording;
  const step_ns = facts.step_ns ?? 1;
  const exact = recording.has('switches');
  const samples = await loadSamples(query, { start: origin_ns, end: range_end });
  const ran = exact ? await loadRan(query, range_end, step_ns) : ranBySamples(samples);
  const counted = recording.has('counters')
    ? await loadCounted(query, origin_ns, range_end)
    : { names: [], rows: [] };
  const wanted = { process: params.process ?? '', top: params.top ?? specs.top.default };
  return {
    origin_ns,
    unrecorded,
    notes,
    exact,
    counters: counted.names,
    ...sumThreads(
      ran,
      samples,
      calls,
      threads,
      sumCounted(counted, ({ utid }) => utid),
      origin_ns,
      wanted,
    ),
  };
}
