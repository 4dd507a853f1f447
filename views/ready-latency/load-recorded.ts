import { keepLast, toNumber, type Query, type Row } from '../../shared/engine/index.ts';
import recordedSql from './recorded.sql';
import type { Recorded } from './notes.ts';

/** What the trace holds, and of a range what was lost there. */
export interface RecordedFacts extends Recorded {
  readonly start_ts: number;
  readonly end_ts: number;
  readonly cpu_count: number;
  /** A tick of the clock. */
  readonly tick_ns: number;
  /** What the trace does not hold of what explains waits. */
  readonly unrecorded: readonly string[];
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
    const [row] = (await query(recordedSql, bounds)).rows();
    return {
      start_ts: toNumber(row?.start_ts) ?? 0,
      end_ts: toNumber(row?.end_ts) ?? 0,
      cpu_count: toNumber(row?.cpu_count) ?? 0,
      tick_ns: toNumber(row?.tick_ns) ?? 0,
      has_switches: row?.has_switches === 1,
      has_ready_threads: row?.has_ready_threads === 1,
      has_ranks: row?.has_ranks === 1,
      has_compact_switches: row?.has_compact_switches === 1,
      losses: toNumber(row?.losses) ?? 0,
      unrecorded: unrecorded(row),
    };
  });
}

function unrecorded(row: Row | undefined): string[] {
  const kinds = [
    ['has_interrupts', 'DPCs and interrupts'],
    ['has_affinities', 'affinities'],
    ['has_freezes', 'freezing of processes'],
  ] as const;
  return kinds.flatMap(([column, kind]) => (row?.[column] === 1 ? [] : [kind]));
}
