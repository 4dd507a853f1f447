import { sum } from 'd3';
import { keepLast, type Query } from '../../shared/engine/index.ts';
import {
  findText,
  loadEvents as loadAllEvents,
  readEventTexts,
  type Events,
  type EventTexts,
} from '../../shared/events/index.ts';
import { knownOf, loadRecording } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, utidsMatching, type ThreadName } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { cutIntoBuckets } from '../kit/index.ts';
import { countEvents, type CountedKind } from './count-events.ts';
import { fieldNames, readFields } from './fields.ts';
import type { EventsModel, GenericEvent } from './model.ts';
import { params as specs, type EventsParams, recording as needs } from './params.ts';

/** Kinds of events that are drawn by themselves. */
const LINES = 8;

/** Asks for the events of `range` that pass the filters. */
export async function loadEvents(query: Query, params: EventsParams, range: TimeRange): Promise<EventsModel> {
  const { edges } = cutIntoBuckets(range, 0, null);
  const [range_start = 0, second = 0] = edges;
  const range_end = edges.at(-1) ?? 0;
  const recording = await loadRecording(query, needs, { range_start, range_end });
  const { tables } = dataOf(query);
  const [all, names] = await Promise.all([loadAllEvents(tables), loadThreadNames(tables)]);
  const provider = params.provider === '' ? null : params.provider;
  const event = params.event === '' ? null : params.event;
  const utids = utidsMatching(names, params);
  const { kinds, places } = countEvents(all, {
    ...{ range_start, range_end, bucket_ns: second - range_start, provider, event },
    buckets: edges.length - 1,
    utids: utids === null ? null : new Set(utids),
    isMatch: params.search ? await loadMatches(query, all, params.search) : null,
    max_events: params.limit ?? specs.limit.default,
  });
  const chosen = kinds.filter(
    (kind) => (provider === null || kind.provider === provider) && (event === null || kind.event === event),
  );
  const texts = await readEventTexts(tables, all, places);
  const events = texts.map((of, at) => readEvent(all, places[at] ?? 0, of, names));
  return {
    ...knownOf(recording),
    provider,
    event,
    kinds: inTreeOrder(kinds).map(({ provider, event, count }) => ({ provider, event, count })),
    edges,
    counts: edges.slice(1).map((_, bucket) => sum(chosen, ({ counts }) => counts[bucket])),
    lines: [...chosen]
      .sort((a, b) => b.count - a.count)
      .slice(0, LINES)
      .map((kind) => ({ label: `${kind.provider}/${kind.event}`, counts: kind.counts })),
    count: sum(chosen, ({ count }) => count),
    events,
    fields: provider !== null && event !== null ? fieldNames(events) : [],
  };
}

/** Providers with most events first, and so the kinds of each. */
function inTreeOrder(kinds: readonly CountedKind[]): readonly CountedKind[] {
  const ofProvider = new Map<string, number>();
  for (const { provider, count } of kinds) ofProvider.set(provider, (ofProvider.get(provider) ?? 0) + count);
  return [...kinds].sort(
    (a, b) =>
      (ofProvider.get(b.provider) ?? 0) - (ofProvider.get(a.provider) ?? 0) ||
      (a.provider < b.provider ? -1 : Number(a.provider > b.provider)) ||
      b.count - a.count ||
      (a.event < b.event ? -1 : 1),
  );
}

function readEvent(
  { ts, utid, shape, shapes }: Events,
  place: number,
  { cpu, header, fields }: EventTexts,
  names: ReadonlyMap<number, ThreadName>,
): GenericEvent {
  const by = utid[place] ?? 0;
  const thread = by === 0 ? undefined : names.get(by);
  const of = shapes[shape[place] ?? 0];
  return {
    ts: ts[place] ?? 0,
    provider: of?.provider ?? '',
    event: of?.name ?? '',
    process: thread?.process ?? null,
    service: thread?.service ?? null,
    tid: thread?.tid ?? null,
    pid: thread?.pid ?? null,
    cpu,
    level: of?.level ?? 0,
    fields: readFields(fields),
    header: readFields(header),
  };
}

/** Which events a text is found in; what was searched last is kept. */
function loadMatches(query: Query, all: Events, search: string): Promise<Uint8Array> {
  const { tables, hasColumns } = dataOf(query);
  // What SQL gives stays in the engine: here it would take several times the memory.
  return keepMatches(query, search, () => findText(tables, all, search, hasColumns));
}

const keepMatches = keepLast<Uint8Array>();
