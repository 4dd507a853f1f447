import type { Query } from '../../shared/engine/index.ts';
import { formatBytes, formatCount } from '../../shared/model/index.ts';
import { dataOf, numberAt, textAt } from '../../shared/tables/index.ts';
import { threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import type { TrackItem } from '../../shared/view/index.ts';
import eventFieldsSql from './event-fields.sql';
import eventProvidersSql from './event-providers.sql';
import eventsSql from './events.sql';
import { pairEvents, type PairedEvent } from './event-spans.ts';
import { SpanPixels } from './extra-spans.ts';
import type { Fact, StretchOpen } from './questions.ts';

/** What is told of an item besides its time. */
export interface ItemTold {
  readonly utid: number | null;
  readonly facts: readonly Fact[];
  readonly open: StretchOpen;
}

/** A track of things that each have a name and may lie in one another: operations of disks, events of a provider. */
export interface ItemTrack {
  readonly key: string;
  /** By which links name it; without spaces. */
  readonly name: string;
  readonly label: string;
  readonly aside: string;
  /** In the order of `ts`. */
  readonly items: readonly TrackItem[];
  readonly pixels: SpanPixels;
  /** What is told of the item at a place. */
  about(item: number): Promise<ItemTold>;
}

/** The keys of these tracks begin so. */
export const DISK_KEY = 'd';
export const EVENTS_KEY = 'e';

/** So many fields of an event are told; the view of events has all. */
const MOST_FIELDS = 12;

const OF_DISKS = ['ts', 'te', 'kind', 'utid', 'path', 'size_bytes', 'disk'] as const;

interface DiskOperation {
  readonly ts: number;
  readonly te: number;
  readonly kind: string;
  readonly utid: number | null;
  readonly path: string | null;
  readonly size_bytes: number | null;
  readonly disk: number | null;
}

/** What each operation of a disk was; null where none was recorded. */
export async function loadDiskOperations(
  query: Query,
  names: ReadonlyMap<number, ThreadName>,
): Promise<ItemTrack | null> {
  const rows: DiskOperation[] = [];
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_disk_io', OF_DISKS))
    for (let row = 0; row < rowCount; row++) {
      const [ts = 0, te = 0] = [columns.ts.values[row], columns.te.values[row]];
      if (te <= ts) continue;
      rows.push({
        ...{ ts, te },
        kind: textAt(columns.kind, row) ?? '',
        utid: numberAt(columns.utid, row),
        path: textAt(columns.path, row),
        size_bytes: numberAt(columns.size_bytes, row),
        disk: numberAt(columns.disk, row),
      });
    }
  if (rows.length === 0) return null;
  rows.sort((a, b) => a.ts - b.ts);
  const items = rows.map(({ ts, te, kind }) => itemOf(ts, te, kind));
  return {
    key: DISK_KEY,
    name: 'disk-operations',
    label: 'Disk operations',
    aside: formatCount(items.length),
    items,
    pixels: new SpanPixels(items),
    about: (item) => {
      const { utid: thread = null, disk, path, size_bytes } = rows[item] ?? {};
      const facts: Fact[] = [['Disk', String(disk ?? '')]];
      if (thread !== null) facts.push(['Asked by', threadLabel(names.get(thread))]);
      if (size_bytes != null) facts.push(['Size', formatBytes(size_bytes)]);
      if (path != null) facts.push(['Path', path]);
      return Promise.resolve({
        utid: thread,
        facts,
        open: { title: 'Disk and file I/O', view: 'io', params: { source: 'disk' } },
      });
    },
  };
}

/** The providers whose names have one of the texts in them that commas part. */
export async function providersNamed(query: Query, wanted: string | null): Promise<readonly string[]> {
  const texts = (wanted ?? '')
    .split(',')
    .map((text) => text.trim().toLowerCase())
    .filter(Boolean);
  if (texts.length === 0) return [];
  const providers = (await dataOf(query).outline(eventProvidersSql)).strings('provider');
  return providers.flatMap((provider) =>
    provider !== null && texts.some((text) => provider.toLowerCase().includes(text)) ? [provider] : [],
  );
}

/** The key of the track of a provider's events. */
export function eventsKey(provider: string): string {
  return `${EVENTS_KEY}${provider}`;
}

/** The events of some providers, a track for each. */
export async function loadEventTracks(
  query: Query,
  names: ReadonlyMap<number, ThreadName>,
  providers: readonly string[],
): Promise<readonly ItemTrack[]> {
  if (providers.length === 0) return [];
  const { outline } = dataOf(query);
  const events = new Map<string, (PairedEvent & { readonly id: number })[]>();
  for (const row of (await outline(eventsSql, { providers: JSON.stringify(providers) })).rows()) {
    const provider = String(row.provider);
    const list = events.get(provider) ?? [];
    if (list.length === 0) events.set(provider, list);
    list.push({
      id: Number(row.id),
      ts: Number(row.ts),
      utid: row.utid === null ? null : Number(row.utid),
      name: String(row.name),
      opcode: Number(row.opcode),
      activity: row.activity === null ? null : String(row.activity),
    });
  }
  return providers.map((provider) => eventTrack(provider, events.get(provider) ?? [], names, outline));
}

function eventTrack(
  provider: string,
  events: readonly (PairedEvent & { readonly id: number })[],
  names: ReadonlyMap<number, ThreadName>,
  outline: Query,
): ItemTrack {
  const spans = pairEvents(events);
  const items = spans.map(({ event, stop, name }) => {
    const ts = events[event]?.ts ?? 0;
    return itemOf(ts, stop === null ? ts : (events[stop]?.ts ?? ts), name);
  });
  return {
    key: eventsKey(provider),
    name: `events-${encodeURIComponent(provider)}`,
    // What most names begin with leaves no room for the rest.
    label: provider.replace(/^Microsoft-Windows-/, ''),
    aside: formatCount(events.length),
    items,
    pixels: new SpanPixels(items),
    about: async (item) => {
      const { event, stop } = spans[item] ?? { event: -1, stop: null };
      const { id = -1, utid = null, name = '' } = events[event] ?? {};
      const facts: Fact[] = [['Provider', provider]];
      if (utid !== null) facts.push(['Written by', threadLabel(names.get(utid))]);
      if (stop !== null) facts.push(['Stopped by', events[stop]?.name ?? '']);
      const [row] = [...(await outline(eventFieldsSql, { id })).rows()];
      facts.push(...fieldsIn(String(row?.fields ?? '{}')).slice(0, MOST_FIELDS));
      const params = { provider, event: name };
      return { utid, facts, open: { title: 'Generic events', view: 'generic-events', params } };
    },
  };
}

function itemOf(ts: number, te: number, name: string): TrackItem {
  return { ts, te, name, value: null };
}

/** The fields of an event's JSON object as facts. */
function fieldsIn(json: string): readonly Fact[] {
  const fields = JSON.parse(json) as Readonly<Record<string, unknown>>;
  return Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}
