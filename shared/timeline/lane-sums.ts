import { NOTHING, type Lane, type LaneParts } from './lane.ts';
import { pageOf, PAGE_MASK } from './step-pages.ts';

/** Which class each value of a lane is of. A value beyond the table is of class 0. */
export interface Classes {
  readonly ofValue: Uint8Array;
  /** One more than the highest class. Class 0 is that of nothing. */
  readonly count: number;
}

/** Less is an error of rounding: ends of pixels are fractions of ns. */
const LEAST_NS = 1e-3;

/** How long each class of a lane's values held, at any resolution: kept are the sums up to the beginning of each block. */
export class LaneSums {
  readonly lane: Lane;
  readonly #classes: Classes;
  readonly #parts: LaneParts;
  /** Of each block, how long each class held before it, in ns. */
  readonly #before: Float64Array;

  /** @param lane to which nothing is appended any more */
  constructor(lane: Lane, classes: Classes) {
    this.lane = lane;
    this.#classes = classes;
    this.#parts = lane.parts;
    const { count } = classes;
    const { blockCount } = lane;
    this.#before = new Float64Array(blockCount * count);
    for (let block = 0; block + 1 < blockCount; block++) this.#sumBlock(block);
  }

  /**
   * Adds how long each class held in each of `pixels` steps of time from `start` on, in ns: to `into`, where the sums of a pixel
   * follow one another. It takes about as long as there are pixels, however many steps the lane has.
   */
  addPixels(start: number, pixel_ns: number, pixels: number, into: Float64Array): void {
    const { lane } = this;
    const { count, ofValue } = this.#classes;
    const before = this.#before;
    const nothing = ofValue[NOTHING] ?? 0;
    /** How long each class held since the block began. */
    const held = new Float64Array(count);
    let block = lane.blockAt(start);
    let step = -1;
    if (block >= 0)
      step = this.#walk(
        block,
        lane.firstOf(block),
        lane.beginOf(block),
        start,
        held,
        new Float64Array(count),
        0,
      );
    let at = start;
    for (let pixel = 0; pixel < pixels;) {
      const end = start + (pixel + 1) * pixel_ns;
      const own = pixel * count;
      if (lane.beginOf(block + 1) <= end) {
        // Up to the end of the block, over whole blocks by their sums, and on from the block in which the pixel ends.
        const next = lane.blockAt(end, block + 1);
        if (block < 0) into[own + nothing] = (into[own + nothing] ?? 0) + lane.beginOf(0) - at;
        for (let of = 0; of < count; of++) {
          const from = block < 0 ? 0 : (before[block * count + of] ?? 0) + (held[of] ?? 0);
          const sum = (before[next * count + of] ?? 0) - from;
          if (sum > LEAST_NS) into[own + of] = (into[own + of] ?? 0) + sum;
        }
        held.fill(0);
        block = next;
        step = lane.firstOf(block);
        at = lane.beginOf(block);
      }
      step = this.#walk(block, step, at, end, held, into, own);
      at = end;
      pixel++;
      // Pixels that lie in the step as a whole.
      const to = lane.endOf(step, block);
      const of = ofValue[lane.valueOf(step)] ?? 0;
      for (; pixel < pixels && start + (pixel + 1) * pixel_ns < to; pixel++)
        into[pixel * count + of] = (into[pixel * count + of] ?? 0) + pixel_ns;
      held[of] = (held[of] ?? 0) + start + pixel * pixel_ns - at;
      at = start + pixel * pixel_ns;
    }
  }

  /** How long each class held within a range, in ns. */
  within(start: number, end: number): Float64Array {
    const sums = new Float64Array(this.#classes.count);
    if (end > start) this.addPixels(start, end - start, 1, sums);
    return sums;
  }

  /** Has `value` hold where a step of the lane begins at `at`, if there is one. */
  replace(at: number, value: number): void {
    const { lane } = this;
    const { count, ofValue } = this.#classes;
    const before = this.#before;
    const held = lane.at(at);
    if (!lane.replace(at, value)) return;
    const [from, to] = [ofValue[held.value] ?? 0, ofValue[value] ?? 0];
    const ns = held.te - held.ts;
    for (let block = lane.blockAt(at) + 1; block < lane.blockCount; block++) {
      before[block * count + from] = (before[block * count + from] ?? 0) - ns;
      before[block * count + to] = (before[block * count + to] ?? 0) + ns;
    }
  }

  /**
   * Adds what holds from `at`, which lies in `step`, up to `end`, at most that of the block: to `held`, and to `into` from `own` on. Gives
   * the step in which `end` lies.
   */
  #walk(
    block: number,
    step: number,
    at: number,
    end: number,
    held: Float64Array,
    into: Float64Array,
    own: number,
  ): number {
    const { pages, bases } = this.#parts;
    const { ofValue } = this.#classes;
    const base = bases[block] ?? 0;
    const last = this.lane.endPlaceOf(block) - 1;
    const offsets = pages.offsets[pageOf(step)];
    const values = pages.values[pageOf(step)];
    for (let [from, place] = [at, step]; ; place++) {
      const to = place < last ? base + (offsets?.[(place + 1) & PAGE_MASK] ?? 0) : Infinity;
      const of = ofValue[values?.[place & PAGE_MASK] ?? NOTHING] ?? 0;
      const ns = Math.min(to, end) - from;
      held[of] = (held[of] ?? 0) + ns;
      into[own + of] = (into[own + of] ?? 0) + ns;
      if (to >= end) return place;
      from = to;
    }
  }

  /** Gives the block after one its sums: those before that one, and what it adds. */
  #sumBlock(block: number): void {
    const { lane } = this;
    const { count, ofValue } = this.#classes;
    const before = this.#before;
    const own = (block + 1) * count;
    for (let of = own; of < own + count; of++) before[of] = before[of - count] ?? 0;
    const { pages } = this.#parts;
    const first = lane.firstOf(block);
    const offsets = pages.offsets[pageOf(first)];
    const values = pages.values[pageOf(first)];
    if (offsets === undefined || values === undefined) return;
    const last = (first & PAGE_MASK) + lane.endPlaceOf(block) - first - 1;
    let from = 0;
    for (let place = first & PAGE_MASK; place < last; place++) {
      const to = offsets[place + 1] ?? 0;
      const of = own + (ofValue[values[place] ?? 0] ?? 0);
      before[of] = (before[of] ?? 0) + to - from;
      from = to;
    }
    const of = own + (ofValue[values[last] ?? 0] ?? 0);
    before[of] = (before[of] ?? 0) + lane.beginOf(block + 1) - lane.beginOf(block) - from;
  }
}
