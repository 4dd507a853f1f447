import { oncePerTrace } from '../engine/index.ts';
import { filled, numberAt, textAt, type Tables } from '../tables/index.ts';
import { readShapes, textsOf, type EventShape } from './shape.ts';

/** All generic events of a trace in the order of time, without their values. An event is named by its place. */
export interface Events {
  readonly ts: Float64Array;
  /** The thread; 0 for none. */
  readonly utid: Uint32Array;
  /** A place in `shapes`. */
  readonly shape: Uint32Array;
  readonly shapes: readonly EventShape[];
}

/** The events of a trace; its tables are read once. */
export const loadEvents = oncePerTrace(async (tables: Tables): Promise<Events> => {
  const shapes = await readShapes(tables);
  const count = await tables.rowCount('etw_generic_event');
  const [ts, utid, shape] = [new Float64Array(count), new Uint32Array(count), new Uint32Array(count)];
  const columns = ['ts', 'utid', 'shape'] as const;
  for await (const batch of tables.batches('etw_generic_event', columns, undefined, 'once')) {
    const { firstRow, rowCount, columns: of } = batch;
    ts.set(of.ts.values, firstRow);
    filled(utid.subarray(firstRow, firstRow + rowCount), (row) => numberAt(of.utid, row) ?? 0);
    shape.set(of.shape.values, firstRow);
  }
  return { ts, utid, shape, shapes };
});

/** What one event says. */
export interface EventTexts {
  readonly cpu: number | null;
  /** JSON; null where it has none. */
  readonly header: string | null;
  /** JSON. */
  readonly fields: string;
}

/** What some events say, whose places ascend. */
export async function readEventTexts(
  tables: Tables,
  { ts, shape, shapes }: Events,
  places: readonly number[],
): Promise<readonly EventTexts[]> {
  const texts: EventTexts[] = [];
  const nextPlace = () => places[texts.length];
  for (let place = nextPlace(); place !== undefined; place = nextPlace()) {
    const before = texts.length;
    const at = ts[place] ?? 0;
    const within = { start: at - 1, end: at + 1 };
    for await (const batch of tables.batches('etw_generic_event', ['cpu', 'values'], within)) {
      const { firstRow, rowCount, columns } = batch;
      for (let next = nextPlace(); next !== undefined; next = nextPlace()) {
        const row = next - firstRow;
        if (row < 0 || row >= rowCount) break;
        const of = shapes[shape[next] ?? 0];
        if (of === undefined) throw new RangeError(`event ${next} has a shape that is not there`);
        texts.push({ cpu: numberAt(columns.cpu, row), ...textsOf(of, textAt(columns.values, row) ?? '') });
      }
    }
    if (texts.length === before) throw new RangeError(`event ${place} is in no batch`);
  }
  return texts;
}

/** An event whose shape was asked for. */
export interface EventOfShape<T> {
  readonly ts: number;
  /** The thread; 0 for none. */
  readonly utid: number;
  /** What `tell` of {@link readEventsOf} says about the event's shape. */
  readonly of: T;
  /** JSON. */
  readonly fields: string;
}

/** The events of the shapes that `tell` tells something of, in the order of time. Events are not read where there is no such shape. */
export async function readEventsOf<T>(
  tables: Tables,
  tell: (shape: EventShape) => T | undefined,
): Promise<readonly EventOfShape<T>[]> {
  if (!(await readShapes(tables)).some((shape) => tell(shape) !== undefined)) return [];
  const events = await loadEvents(tables);
  const told = events.shapes.map(tell);
  const places: number[] = [];
  events.shape.forEach((shape, place) => {
    if (told[shape] !== undefined) places.push(place);
  });
  const texts = await readEventTexts(tables, events, places);
  return texts.flatMap(({ fields }, at) => {
    const place = places[at] ?? 0;
    const of = told[events.shape[place] ?? 0];
    return of === undefined ? [] : [{ ts: events.ts[place] ?? 0, utid: events.utid[place] ?? 0, of, fields }];
  });
}

/** The fields of an event by their names; null where its text is no JSON of them. */
export function readFields(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : null;
  } catch {
    return null;
  }
}
