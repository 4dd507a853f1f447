import type { Query } from '../../shared/engine/index.ts';
import {
  eachActivity,
  loadEvents,
  readEventTexts,
  type Events,
  type EventShape,
} from '../../shared/events/index.ts';
import { formatCount } from '../../shared/model/index.ts';
import { dataOf, type Tables } from '../../shared/tables/index.ts';
import { threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import { endOf, pairEvents, stemOf } from './event-spans.ts';
import { SpanPixels } from './extra-spans.ts';
import { itemOf, type ItemTrack } from './item-tracks.ts';
import type { Fact } from './questions.ts';

/** The keys of the tracks of events begin so. */
export const EVENTS_KEY = 'e';

/** So many fields of an event are told; the view of events has all. */
const MOST_FIELDS = 12;

/** The key of the track of a provider's events. */
export function eventsKey(provider: string): string {
  return `${EVENTS_KEY}${provider}`;
}

/** The providers whose names have one of the texts in them that commas part. */
export async function providersNamed(query: Query, wanted: string | null): Promise<readonly string[]> {
  const texts = (wanted ?? '')
    .split(',')
    .map((text) => text.trim().toLowerCase())
    .filter(Boolean);
  if (texts.length === 0) return [];
  const { shapes } = await loadEvents(dataOf(query).tables);
  const providers = [...new Set(shapes.map(({ provider }) => provider))].sort();
  return providers.filter((provider) => texts.some((text) => provider.toLowerCase().includes(text)));
}

/** The events of some providers, a track for each. */
export async function loadEventTracks(
  query: Query,
  names: ReadonlyMap<number, ThreadName>,
  providers: readonly string[],
): Promise<readonly ItemTrack[]> {
  if (providers.length === 0) return [];
  const { tables } = dataOf(query);
  const all = await loadEvents(tables);
  const placesOf = new Map(providers.map((provider): [string, number[]] => [provider, []]));
  const ofShape = all.shapes.map(({ provider }) => placesOf.get(provider));
  all.shape.forEach((shape, place) => ofShape[shape]?.push(place));
  const isPaired = (shape: EventShape) => placesOf.has(shape.provider) && endOf(shape) !== null;
  const activity = await numberActivities(tables, all, isPaired);
  return [...placesOf].map(([provider, places]) =>
    eventTrack(provider, places, activity, { tables, all, names }),
  );
}

/** A number for the activity of each event of some shapes, from 1 on; 0 for none. */
async function numberActivities(
  tables: Tables,
  all: Events,
  isWanted: (shape: EventShape) => boolean,
): Promise<Uint32Array> {
  const numbers = new Map<string, number>();
  const activity = new Uint32Array(all.ts.length);
  await eachActivity(tables, all, isWanted, (place, id) => {
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    activity[place] = number;
  });
  return activity;
}

/** What all tracks of events are made of. */
interface Sources {
  readonly tables: Tables;
  readonly all: Events;
  readonly names: ReadonlyMap<number, ThreadName>;
}

function eventTrack(
  provider: string,
  places: readonly number[],
  activity: Uint32Array,
  { tables, all, names }: Sources,
): ItemTrack {
  const { ts, utid } = all;
  const nameOf = (place: number) => all.shapes[all.shape[place] ?? 0]?.name ?? '';
  const { events, stops } = pairEvents(all, places, activity);
  const items = events.map((event, item) => {
    const stop = stops[item] ?? -1;
    const [at, name] = [ts[event] ?? 0, nameOf(event)];
    return stop === -1 ? itemOf(at, at, name) : itemOf(at, ts[stop] ?? at, stemOf(name));
  });
  return {
    key: eventsKey(provider),
    name: `events-${encodeURIComponent(provider)}`,
    // What most names begin with leaves no room for the rest.
    label: provider.replace(/^Microsoft-Windows-/, ''),
    aside: formatCount(places.length),
    items,
    pixels: new SpanPixels(items),
    about: async (item) => {
      const [event = 0, stop = -1] = [events[item], stops[item]];
      const thread = utid[event] ?? 0;
      const facts: Fact[] = [['Provider', provider]];
      if (thread !== 0) facts.push(['Written by', threadLabel(names.get(thread))]);
      if (stop !== -1) facts.push(['Stopped by', nameOf(stop)]);
      const [texts] = await readEventTexts(tables, all, [event]);
      facts.push(...fieldsIn(texts?.fields ?? '{}').slice(0, MOST_FIELDS));
      const params = { provider, event: nameOf(event) };
      const open = { title: 'Generic events', view: 'generic-events', params };
      return { utid: thread === 0 ? null : thread, facts, open };
    },
  };
}

/** The fields of an event's JSON object as facts. */
function fieldsIn(json: string): readonly Fact[] {
  const fields = JSON.parse(json) as Readonly<Record<string, unknown>>;
  return Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}
