import type { EventPattern } from './kernel-flags.ts';
import type { Signal } from './signal.ts';
import { recordingNotes, type RecordingNeeds } from './needs.ts';
import { SIGNALS, type SignalId } from './signals.ts';
import { recordedBy, signalTitle } from './words.ts';

/** How many events of one kind a file holds: a row of `etw_event_count`, or of what `outrank info` prints. */
export interface EventCount {
  readonly provider: string;
  readonly event: string;
  /** What became of them: `skipped` for those that were left out. */
  readonly fate: string;
  readonly count: number;
}

/** What a trace does not tell, and what would have recorded it. */
export interface NotRecorded {
  readonly what: string;
  readonly record: string;
}

/** Whether a kind of events is of a pattern. An event is named with its opcode, as in `ProcessFreeze/Start`. */
export function matches(
  { provider, events }: EventPattern,
  kind: Pick<EventCount, 'provider' | 'event'>,
): boolean {
  if (kind.provider !== provider) return false;
  return events?.some((event) => kind.event === event || kind.event.startsWith(`${event}/`)) ?? true;
}

/** Whether a file holds events that tell a signal; null where events alone do not say. */
export function hasEvents({ events }: Signal, kinds: readonly EventCount[]): boolean | null {
  if (events === null) return null;
  return kinds.some((kind) => kind.count > 0 && events.some((pattern) => matches(pattern, kind)));
}

/** Why a view has nothing to show of a file, by the events that it holds; null where it may have something. */
export function unrecordedBy(needs: RecordingNeeds, kinds: readonly EventCount[]): string | null {
  const signals: readonly (Signal & { readonly id: SignalId })[] = SIGNALS;
  const held = signals.filter(
    (signal) => signal.is_named_elsewhere === true || hasEvents(signal, kinds) !== false,
  );
  const ids = new Set(held.map(({ id }) => id));
  if (needs.shows_alone?.some((id) => ids.has(id)) === true) return null;
  return recordingNotes(needs, ids, null, 0).unrecorded;
}

/** The first signal that a kind of events tells and that a view shows; null if there is none. */
export function signalShown(kind: Pick<EventCount, 'provider' | 'event'>): Signal | null {
  const signals: readonly Signal[] = SIGNALS;
  return (
    signals.find(
      ({ shown, events }) =>
        shown !== undefined && events?.some((pattern) => matches(pattern, kind)) === true,
    ) ?? null
  );
}

/**
 * What a file does not tell, by the events that it holds. What answers special questions is not listed; nor is a part of
 * something that is missing as a whole.
 */
export function notRecorded(kinds: readonly EventCount[]): readonly NotRecorded[] {
  const signals: readonly Signal[] = SIGNALS;
  return signals
    .filter((signal) => signal.is_special !== true && hasEvents(signal, kinds) === false)
    .filter(
      ({ part_of }) =>
        part_of === undefined ||
        SIGNALS.some((whole) => whole.id === part_of && hasEvents(whole, kinds) === true),
    )
    .map((signal) => ({ what: signalTitle(signal), record: recordedBy(signal) }));
}
