import type { Stretch } from '../tables/index.ts';
import { apartFrom, BlameDifference, withApart } from './blame-difference.ts';
import { BlameSweep, type BlameState } from './blame-sweep.ts';
import type { BlockEvents } from './block-events.ts';
import { eventsIn, wokenAcross, type RangeBlocks } from './kept-blocks.ts';
import type { Span } from './stretches.ts';

/** How long others waited for each thread: while it ran or was ready, and while it was blocked with no thread behind. */
export type BlameSums = Pick<BlameState, 'active_ns' | 'blocked_ns'>;

/** So many stretches at most, with so many threads at all borders together. */
const MOST_STRETCHES = 64;
const MOST_STATES = 1 << 22;

/** Between two parts of events. */
interface Border {
  /** The part that comes next. */
  readonly part: number;
  /** No event that comes is later, none that came is earlier. */
  readonly ts: number;
  readonly state: BlameState;
  /** How many oddities a sweep met until there. */
  readonly oddities: number;
}

/**
 * The sums of blame in all of a range, as far as each of some borders. Of a range in it, only the stretches at its ends are swept. Between
 * them it has the sums of the longer one, but for a few threads: some that are woken after it, and some that were blocked before it.
 */
export class BlameStretches {
  readonly #blocks: RangeBlocks;
  readonly #asleep: readonly Span[];
  readonly #threads: number;
  readonly #across_ts: ReadonlyMap<number, number>;
  /** Back through time, as the events are. */
  readonly #borders: readonly Border[];

  constructor(blocks: RangeBlocks, asleep: readonly Span[], most = MOST_STRETCHES) {
    const { events, range } = blocks;
    [this.#blocks, this.#asleep] = [blocks, asleep];
    this.#threads = 1 + events.reduce((most, { greatest }) => Math.max(most, greatest), 0);
    this.#across_ts = wokenAcross(blocks, range.start);
    const stretches = Math.max(1, Math.min(most, Math.floor(MOST_STATES / this.#threads), events.length));
    const latest = latestFrom(events);
    const sweep = new BlameSweep(range, asleep, {}, this.#across_ts);
    const borders: Border[] = [];
    for (let at = 0, part = 0; at <= stretches; at++) {
      for (const next = Math.round((at * events.length) / stretches); part < next; part++) {
        const more = events[part];
        if (more !== undefined) sweep.take(more);
      }
      const ts = Math.max(range.start, Math.min(latest[part] ?? range.start, range.end));
      // Where events were lost, there may be one to come that is later than one that came.
      if (sweep.least_ts < ts) continue;
      const state = sweep.stateAt(ts, this.#threads);
      borders.push({ part, ts, state, oddities: sweep.oddities });
    }
    this.#borders = borders;
  }

  /** The sums of a range in this one: those that a sweep of it makes. */
  sumsIn(range: Stretch): BlameSums {
    const borders = this.#borders;
    const of = this.#blocks.range;
    let at = borders.findIndex(({ ts }) => ts < range.end || range.end === of.end);
    const last = borders.filter(({ ts }) => ts >= range.start).length - 1;
    const across_ts = wokenAcross(this.#blocks, range.start);
    const sweep = new BlameSweep(range, this.#asleep, {}, across_ts);
    const events = new Set(eventsIn(this.#blocks, range));
    const take = (from: number, to: number) => {
      for (const more of this.#blocks.events.slice(from, to)) if (events.has(more)) sweep.take(more);
    };
    let part = 0;
    while (at >= 0 && at < last) {
      const next = borders[at]?.part ?? part;
      take(part, next);
      const to = this.#skip({ sweep, range, across_ts }, at, last);
      part = borders[to]?.part ?? next;
      at = Math.max(to, at + 1);
    }
    take(part, this.#blocks.events.length);
    return sweep.stateAt(range.start, this.#threads);
  }

  /** Takes a sweep that went as far as a border on to a later one, up to the last: gives which. */
  #skip({ sweep, range, across_ts }: Ranged, from: number, last: number): number {
    const borders = this.#borders;
    const begun = borders[from];
    if (begun === undefined || begun.oddities !== borders[from + 1]?.oddities) return from;
    const state = sweep.stateAt(begun.ts, this.#threads);
    const apart = apartFrom(state, begun.state);
    if (apart === null) return from;
    const across = new Map(
      [...across_ts].filter(([utid, ts]) => ts > (this.#across_ts.get(utid) ?? -Infinity)),
    );
    const difference = new BlameDifference(this.#threads, range, {
      apart,
      across_ts: across,
      asleep: this.#asleep,
    });
    let [to, border] = [from, begun];
    for (; to < last; to++) {
      const next = borders[to + 1];
      if (next?.oddities !== border.oddities) break;
      const events = this.#blocks.events.slice(border.part, next.part);
      difference.pass({ end: border.ts, start: next.ts, state: border.state, events });
      border = next;
    }
    const sum = (of: keyof BlameSums) =>
      state[of].map(
        (ns, utid) =>
          ns + (border.state[of][utid] ?? 0) - (begun.state[of][utid] ?? 0) + (difference[of][utid] ?? 0),
      );
    const sums = { active_ns: sum('active_ns'), blocked_ns: sum('blocked_ns') };
    sweep.goOnFrom(border.ts, withApart(border.state, apart, sums));
    return to;
  }
}

/** A range, the sweep of it, and until when threads are blocked across its start. */
interface Ranged {
  readonly sweep: BlameSweep;
  readonly range: Stretch;
  readonly across_ts: ReadonlyMap<number, number>;
}

/** By part: the latest time of what comes from it on. */
function latestFrom(events: readonly BlockEvents[]): Float64Array {
  const latest = new Float64Array(events.length + 1).fill(-Infinity);
  for (let part = events.length - 1; part >= 0; part--)
    latest[part] = Math.max(events[part]?.first_ts ?? -Infinity, latest[part + 1] ?? -Infinity);
  return latest;
}
