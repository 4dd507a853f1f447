import { readEventCounts, unrecordedBy } from '../../shared/recording/index.ts';
import type { AnyView } from '../../views/index.ts';
import type { Session } from './session.ts';
import { useRead } from './use-read.ts';

/** Says why a view has nothing to show of the open trace, by the events that the trace holds; null where it may have something. */
export function useUnrecorded(session: Session): (view: AnyView) => string | null {
  const kinds = useRead(session, 'etw_event_count', readEventCounts) ?? [];
  return ({ recording }) =>
    recording === undefined || kinds.length === 0 ? null : unrecordedBy(recording, kinds);
}
