import { loadCounted, sumCounted } from '../../shared/counters/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { loadCalls, loadSamples } from '../../shared/samples/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { RunawayModel } from './model.ts';
import { loadRan } from './load-ran.ts';
import { missingNotes } from './notes.ts';
import { params as specs, type RunawayParams } from './params.ts';
import recordedSql from './recorded.sql';
import { ranBySamples, sumThreads } from './sum-threads.ts';

/** Asks for all that the view shows: from the trace's start to the end of `range`. */
export async function loadRunaway(
  query: Query,
  params: RunawayParams,
  range: TimeRange,
): Promise<RunawayModel> {
  const range_end = Math.ceil(range.end);
  // Asked for at once, so that the engine works on one while another is read.
  const [facts, calls, threads] = await Promise.all([
    query(recordedSql, { range_end }),
    loadCalls(query),
    loadThreadNames(query),
  ]);
  const [recorded] = facts.rows();
  const origin_ns = Number(recorded?.start_ts ?? 0);
  const step_ns = Number(recorded?.step_ns ?? 1);
  const exact = recorded?.has_switches === 1;
  const samples = await loadSamples(query, { start: origin_ns, end: range_end });
  const ran = exact ? await loadRan(query, range_end, { origin_ns, step_ns }) : ranBySamples(samples);
  const counted = await loadCounted(query, origin_ns, range_end);
  const wanted = { process: params.process ?? '', top: params.top ?? specs.top.default };
  return {
    origin_ns,
    notes: missingNotes({
      has_switches: exact,
      has_samples: recorded?.has_samples === 1,
      has_stacks: recorded?.has_stacks === 1,
      has_losses: recorded?.has_losses === 1,
    }),
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
