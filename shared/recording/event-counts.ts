import { numberAt, textAt, type Tables } from '../tables/index.ts';
import type { EventCount } from './by-events.ts';

/** How many events of each kind a trace holds: none for a Perfetto trace that was not converted from an `.etl`. */
export async function readEventCounts(tables: Tables): Promise<readonly EventCount[]> {
  const counts: EventCount[] = [];
  const names = ['provider', 'event', 'fate', 'count'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_event_count', names)) {
    const text = (name: (typeof names)[number], row: number) => textAt(columns[name], row) ?? '';
    for (let row = 0; row < rowCount; row++)
      counts.push({
        provider: text('provider', row),
        event: text('event', row),
        fate: text('fate', row),
        count: numberAt(columns.count, row) ?? 0,
      });
  }
  return counts;
}
