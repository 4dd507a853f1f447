import { keepLast, type Query } from '../../shared/engine/index.ts';
import {
  loadMeanwhile,
  type ChosenWait,
  type MachineFacts,
  type Meanwhile,
} from '../../shared/ready-waits/index.ts';
import { boundsOf, loadRecording, signalOf, type Recording } from '../../shared/recording/index.ts';
import { dataOf, type Bounds } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { loadMachine, type Machine } from '../../shared/why-late/columns/index.ts';
import { recording as needs } from './params.ts';

/** What the trace holds, and of a range what was lost there. */
export interface RecordedFacts extends Recording, MachineFacts, Pick<Machine, 'start_ts' | 'end_ts'> {}

/** No filter changes it. */
const keep = keepLast<RecordedFacts>();

/** Asks what is recorded. */
export function loadRecorded(query: Query, bounds: Bounds): Promise<RecordedFacts> {
  const key = `${bounds.range_start} ${bounds.range_end}`;
  return keep(query, key, async () => {
    const recording = await loadRecording(query, needs, bounds);
    const { end_ts, cpu_count, tick_ns } = await loadMachine(dataOf(query).tables);
    const causes = needs.uses ?? [];
    return {
      ...recording,
      start_ts: recording.origin_ns,
      ...{ end_ts, cpu_count, tick_ns },
      unrecorded_causes: causes.filter((id) => !recording.has(id)).map((id) => signalOf(id).name),
    };
  });
}

/** What ran during a wait; null where the trace has no such wait. */
export async function loadChosen(
  query: Query,
  chosen: ChosenWait,
  range: TimeRange,
): Promise<Meanwhile | null> {
  return loadMeanwhile(query, await loadRecorded(query, boundsOf(range)), chosen, range);
}
