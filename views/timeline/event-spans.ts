import type { Events, EventShape } from '../../shared/events/index.ts';

/** Events that stand alone, and starts with their stops; by the place of each among all events of the trace. */
export interface EventSpans {
  /** In the order of time. */
  readonly events: readonly number[];
  /** What stops each of them; -1 where it stands alone. */
  readonly stops: Int32Array;
}

const [START, STOP] = [1, 2];
/** What providers without opcodes call the two ends. */
const STARTS = /[/_ ]?(?:start|begin)$/i;
const STOPS = /[/_ ]?(?:stop|end)$/i;

/**
 * Pairs the starts and stops of one provider's events at `places`, which ascend: a stop ends the last open start of its name in its
 * activity, or without one in its thread. All other events stand alone, so that none is lost. `activity` has a number for the activity of
 * each event of the trace, 0 for none.
 */
export function pairEvents(
  { utid, shape, shapes }: Events,
  places: readonly number[],
  activity: Uint32Array,
): EventSpans {
  /** By the name of what starts, the open starts of each activity, and of each thread. */
  const open = new Map<string, Map<number, number[]>>();
  const ofShape = shapes.map((of) => {
    const end = endOf(of);
    if (end === null) return null;
    const stem = stemOf(of.name);
    const starts = open.get(stem) ?? new Map<number, number[]>();
    open.set(stem, starts);
    return { end, starts };
  });
  const stopOf = new Int32Array(places.length).fill(-1);
  const isStop = new Uint8Array(places.length);
  places.forEach((place, at) => {
    const of = ofShape[shape[place] ?? 0] ?? null;
    if (of === null) return;
    // Below 0 are activities, from 0 on threads.
    const within = -(activity[place] ?? 0) || (utid[place] ?? 0);
    const starts = of.starts.get(within);
    if (of.end === 'start') {
      if (starts === undefined) of.starts.set(within, [at]);
      else starts.push(at);
      return;
    }
    const start = starts?.pop();
    if (start === undefined) return;
    stopOf[start] = place;
    isStop[at] = 1;
  });
  return {
    events: places.filter((_, at) => isStop[at] === 0),
    stops: stopOf.filter((_, at) => isStop[at] === 0),
  };
}

/** Which end of something events of a shape are; null for neither. */
export function endOf({ opcode, name }: Pick<EventShape, 'opcode' | 'name'>): 'start' | 'stop' | null {
  if (opcode === START || (opcode === 0 && STARTS.test(name))) return 'start';
  return opcode === STOP || (opcode === 0 && STOPS.test(name)) ? 'stop' : null;
}

/** What is started and stopped, by the name of an event that is one of the ends. */
export function stemOf(name: string): string {
  const stem = name.replace(STARTS, '').replace(STOPS, '');
  return stem === '' ? name : stem;
}
