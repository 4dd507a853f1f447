import { loadCounted, sumCounted } from '../../shared/cpu-sum/counted.ts';
import { loadCpuSteps } from '../../shared/cpu-sum/load-step.ts';
import { type Query, oncePerTrace } from '../../shared/engine/index.ts';
import { knownOf, loadRecording } from '../../shared/recording/index.ts';
import { loadCalls, loadSamples } from '../../shared/samples/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { RunawayModel } from './model.ts';
import { params as specs, type RunawayParams, recording as needs } from './params.ts';
import { ranBySamples, sumThreads, type Ran } from './sum-threads.ts';

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
  const { origin_ns } = recording;
  const step_ns = facts.step_ns ?? 1;
  const exact = recording.has('switches');
  const samples = await loadSamples(query, { start: origin_ns, end: range_end });
  const ran = exact ? await loadRan(query, range_end, step_ns) : ranBySamples(samples);
  const counted = recording.has('counters')
    ? await loadCounted(query, origin_ns, range_end)
    : { names: [], rows: [] };
  const wanted = { process: params.process ?? '', top: params.top ?? specs.top.default };
  return {
    ...knownOf(recording),
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

/** What the steps of the whole recording tell, in the order of time; the trace is asked once. */
const loadSteps = oncePerTrace(async (query): Promise<Ran> => {
  const rows: { te: number; utid: number; ran_ns: number }[] = [];
  const names = ['ts', 'dur', 'utid', 'ran_ns'] as const;
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_cpu_time', names)) {
    const { ts, dur, utid, ran_ns } = columns;
    for (let row = 0; row < rowCount; row++) {
      const thread = utid.values[row] ?? 0;
      if (thread === 0) continue;
      const te = (ts.values[row] ?? 0) + (dur.values[row] ?? 0);
      rows.push({ te, utid: thread, ran_ns: ran_ns.values[row] ?? 0 });
    }
  }
  rows.sort((a, b) => a.te - b.te);
  return {
    te: Float64Array.from(rows, ({ te }) => te),
    utid: Int32Array.from(rows, ({ utid }) => utid),
    ran_ns: Float64Array.from(rows, ({ ran_ns }) => ran_ns),
  };
});

/** CPU time of threads in the steps that begin before `end_ns`. */
async function loadRan(query: Query, end_ns: number, step_ns: number): Promise<Ran> {
  const { te, utid, ran_ns } = await loadSteps(query);
  let count = te.length;
  while (count > 0 && (te[count - 1] ?? 0) - step_ns >= end_ns) count--;
  return { te: te.subarray(0, count), utid: utid.subarray(0, count), ran_ns: ran_ns.subarray(0, count) };
}
