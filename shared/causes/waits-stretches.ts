import { PairNumbers, type Stretch } from '../tables/index.ts';
import type { RangeBlocks } from './kept-blocks.ts';
import type { Span } from './stretches.ts';
import { WokenWaits, type WaitsFor } from './woken-waits.ts';

/** So many borders at most, and so many numbers at all of them together. */
const MOST_BORDERS = 64;
const MOST_NUMBERS = 1 << 23;

/** Between two parts of events. */
interface Border {
  /** The part that comes next. */
  readonly part: number;
  /** No event before is earlier. */
  readonly ts: number;
  /** From there to the end of all. */
  readonly waits: WokenWaits;
}

/**
 * How long each thread waited for each other one from some borders on: of a range in the whole, only the stretches at its ends are gone
 * through. The blocks must be all of a trace.
 */
export class WaitsStretches {
  readonly #blocks: RangeBlocks;
  readonly #begun_ts: ReadonlyMap<number, number>;
  readonly #pairs = new PairNumbers();
  readonly #none: WokenWaits;
  readonly #borders: readonly Border[];

  /** `begun_ts` says, by thread, when a block began that began before all events. */
  constructor(
    blocks: RangeBlocks,
    asleep: readonly Span[],
    begun_ts: ReadonlyMap<number, number>,
    { most = MOST_BORDERS, mostNumbers = MOST_NUMBERS } = {},
  ) {
    [this.#blocks, this.#begun_ts] = [blocks, begun_ts];
    const { events } = blocks;
    const waits = new WokenWaits(asleep, this.#pairs);
    this.#none = waits.copy();
    let borders: Border[] = [];
    let step = Math.max(1, Math.ceil(events.length / most));
    let [ts, numbers] = [Infinity, 0];
    events.forEach((some, at) => {
      waits.take(some);
      ts = Math.min(ts, some.first_ts - ((some.backs.at(-1) ?? 0) >>> 1));
      const part = at + 1;
      if (part % step !== 0 && part < events.length) return;
      borders.push({ part, ts, waits: waits.copy() });
      numbers += waits.size;
      if (numbers < mostNumbers) return;
      step *= 2;
      borders = borders.filter((border) => border.part % step === 0);
      numbers = borders.reduce((sum, border) => sum + border.waits.size, 0);
    });
    this.#borders = borders;
  }

  /** How long each thread waited for each other one in a range. */
  sumsIn({ start, end }: Stretch): WaitsFor[] {
    const [since, after] = [this.#since(start), this.#since(end)];
    const all = Array.from(since, (ns, pair) => ({
      utid: this.#pairs.first(pair),
      waker: this.#pairs.second(pair),
      ns: ns - (after[pair] ?? 0),
    }));
    return all.filter(({ ns }) => ns > 0).sort((a, b) => a.utid - b.utid || a.waker - b.waker);
  }

  /** By pair: how long in all from a time on. */
  #since(ts: number): Float64Array {
    const border = this.#borders.filter((of) => of.ts >= ts).at(-1);
    const waits = border?.waits.copy() ?? this.#none.copy();
    for (const some of this.#blocks.events.slice(border?.part)) if (some.first_ts >= ts) waits.take(some, ts);
    return waits.sumsFrom((utid) => Math.max(ts, this.#begun_ts.get(utid) ?? ts));
  }
}
