import type { Selection } from '../../shared/view/index.ts';
import type { EventsModel, GenericEvent } from './model.ts';

/** The ids of activities in a header, by which events are looked for. */
const ACTIVITIES = new Set(['ActivityId', 'RelatedActivityId']);

/** The listed event that is chosen; -1 if none is. */
export function chosenEvent({ events }: EventsModel, { span }: Selection): number {
  return events.findIndex(({ ts }) => ts === span?.start && ts === span.end);
}

/** The header of an event in words; empty where it has none. */
export function headerWords({ header }: GenericEvent): string {
  return Object.entries(header)
    .map(([name, value]) => `${name} ${value ?? ''}`)
    .join(', ');
}

/** The activities that the header of an event names. */
export function activitiesOf({ header }: GenericEvent): readonly (readonly [name: string, id: string])[] {
  return Object.entries(header).flatMap(([name, value]) =>
    ACTIVITIES.has(name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
}
