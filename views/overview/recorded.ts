import { rollup, sum } from 'd3';
import { capital, signalShown, type EventCount } from '../../shared/recording/index.ts';
import type { Recorded } from './model.ts';

const GENERIC = { view: 'generic-events', shown_by: 'Generic events' };
const OTHER = { what: 'Other events', view: 'system', shown_by: 'System', provider: null };

/** What of the file was converted and which view shows it, most events first. */
export function recordedKinds(counts: readonly EventCount[]): readonly Recorded[] {
  const parts = counts
    .filter(({ fate }) => fate !== 'skipped')
    .map((count) => ({ ...kindOf(count), events: count.count }));
  const kinds = rollup(
    parts,
    (same) => same.map((part) => ({ ...part, events: sum(same, ({ events }) => events) }))[0],
    ({ what }) => what,
  );
  return [...kinds.values()]
    .filter((kind) => kind !== undefined)
    .sort((a, b) => b.events - a.events || a.what.localeCompare(b.what));
}

function kindOf(count: EventCount): Omit<Recorded, 'events'> {
  const { provider, fate } = count;
  const signal = signalShown(count);
  if (signal?.shown !== undefined) return { what: capital(signal.name), ...signal.shown, provider: null };
  return fate === 'generic' ? { what: provider, ...GENERIC, provider } : OTHER;
}
