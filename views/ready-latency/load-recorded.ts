import { keepLast, toNumber, type Query } from '../../shared/engine/index.ts';
import { loadRecording, signalOf, type Recording } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import machineSql from './machine.sql';
import { recording as needs } from './params.ts';

/** What the trace holds, and of a range what was lost there. */
export interface RecordedFacts extends Recording {
  readonly start_ts: number;
  readonly end_ts: number;
  readonly cpu_count: number;
  /** A tick of the clock. */
  readonly tick_ns: number;
  /** What the trace does not hold of what explains waits. */
  readonly unrecorded_causes: readonly string[];
}

/** No filter changes it. */
const keep = keepLast<RecordedFacts>();

/** Asks what is recorded. */
export function loadRecorded(
  query: Query,
  bounds: { readonly range_start: number; readonly range_end: number },
): Promise<RecordedFacts> {
  const key = `${bounds.range_start} ${bounds.range_end}`;
  return keep(query, key, async () => {
    const recording = await loadRecording(query, needs, bounds);
    const [machine] = (await dataOf(query).outline(machineSql)).rows();
    const causes = needs.uses ?? [];
    return {
      ...recording,
      start_ts: recording.origin_ns,
      end_ts: toNumber(machine?.end_ts) ?? 0,
      cpu_count: toNumber(machine?.cpu_count) ?? 0,
      tick_ns: toNumber(machine?.tick_ns) ?? 0,
      unrecorded_causes: causes.filter((id) => !recording.has(id)).map((id) => signalOf(id).name),
    };
  });
}
