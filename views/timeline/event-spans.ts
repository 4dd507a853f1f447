/** A generic event, as far as it tells whether it begins or ends something. */
export interface PairedEvent {
  readonly ts: number;
  readonly utid: number | null;
  readonly name: string;
  readonly opcode: number;
  readonly activity: string | null;
}

/** An event that stands alone, or one that starts something and the place of the event that stops it. */
export interface EventSpan {
  readonly event: number;
  readonly stop: number | null;
  readonly name: string;
}

const [START, STOP] = [1, 2];
/** What providers without opcodes call the two ends. */
const STARTS = /[/_ ]?(?:start|begin)$/i;
const STOPS = /[/_ ]?(?:stop|end)$/i;

/**
 * Pairs the starts and stops of one provider's events, which are in the order of time: a stop ends the last open start of its name in
 * its activity, or without one in its thread. All other events stand alone, so that none is lost.
 */
export function pairEvents(events: readonly PairedEvent[]): readonly EventSpan[] {
  const open = new Map<string, number[]>();
  const stopOf = new Map<number, number>();
  const stops = new Set<number>();
  events.forEach((event, place) => {
    const key = `${stemOf(event)} ${event.activity ?? event.utid ?? ''}`;
    if (isStart(event)) {
      const list = open.get(key) ?? [];
      if (list.length === 0) open.set(key, list);
      list.push(place);
    } else if (isStop(event)) {
      const start = open.get(key)?.pop();
      if (start === undefined) return;
      stopOf.set(start, place);
      stops.add(place);
    }
  });
  return events.flatMap((event, place): EventSpan[] => {
    if (stops.has(place)) return [];
    const stop = stopOf.get(place) ?? null;
    return [{ event: place, stop, name: stop === null ? event.name : stemOf(event) }];
  });
}

function isStart({ opcode, name }: PairedEvent): boolean {
  return opcode === START || (opcode === 0 && STARTS.test(name));
}

function isStop({ opcode, name }: PairedEvent): boolean {
  return opcode === STOP || (opcode === 0 && STOPS.test(name));
}

function stemOf({ name }: PairedEvent): string {
  const stem = name.replace(STARTS, '').replace(STOPS, '');
  return stem === '' ? name : stem;
}
