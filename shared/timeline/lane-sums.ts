import type { Lane } from './lane.ts';

/** Which class each value of a lane is of. A value beyond the table is of class 0. */
export interface Classes {
  readonly ofValue: Uint8Array;
  /** One more than the highest class. Class 0 is that of nothing. */
  readonly count: number;
}

/** How long each class of a lane's values held, at any resolution: kept are the sums up to the beginning of each block. */
export class LaneSums {
  readonly lane: Lane;
  readonly #classes: Classes;
  /** Of each block, how long each class held before it, in ns. */
  readonly #before: Float64Array;

  constructor(lane: Lane, classes: Classes) {
    this.lane = lane;
    this.#classes = classes;
    const { count } = classes;
    this.#before = new Float64Array(lane.blockCount * count);
    const sums = new Float64Array(count);
    for (let block = 0; block < lane.blockCount; block++) {
      this.#before.set(sums, block * count);
      this.#walk(block, lane.firstOf(block), lane.beginOf(block), lane.beginOf(block + 1), sums, 0);
    }
  }

  /**
   * Adds how long each class held in each of `pixels` steps of time from `start` on, in ns: to `into`, where the sums of a pixel
   * follow one another. It takes about as long as there are pixels, however many steps the lane has.
   */
  addPixels(start: number, pixel_ns: number, pixels: number, into: Float64Array): void {
    const { lane } = this;
    const { count, ofValue } = this.#classes;
    const { offsets, values, bases, firsts } = lane.parts;
    const { blockCount, length } = lane;
    let block = lane.blockAt(start);
    let [base, step, blockEnd, blockEnd_ts] = [0, -1, 0, lane.beginOf(0)];
    const enter = (next: number) => {
      block = next;
      base = bases[block] ?? 0;
      step = firsts[block] ?? 0;
      const isLast = block + 1 >= blockCount;
      blockEnd = isLast ? length : (firsts[block + 1] ?? 0);
      blockEnd_ts = isLast ? Infinity : (bases[block + 1] ?? 0);
    };
    if (block >= 0) enter(block);
    // When the step after `step` begins.
    let next = step + 1 < blockEnd ? base + (offsets[step + 1] ?? 0) : blockEnd_ts;
    while (next <= start && step + 1 < blockEnd) {
      step++;
      next = step + 1 < blockEnd ? base + (offsets[step + 1] ?? 0) : blockEnd_ts;
    }
    let own = step < 0 ? 0 : (ofValue[values[step] ?? 0] ?? 0);
    let at = start;
    /** How long each class held since the block began up to `at`, where the pixel before was gone through from there; else unknown. */
    const begun = new Float64Array(count);
    let isBegun = false;
    for (let pixel = 0; pixel < pixels; pixel++) {
      const end = start + (pixel + 1) * pixel_ns;
      const pixelAt = pixel * count;
      if (step < 0 && next < end) {
        into[pixelAt + own] = (into[pixelAt + own] ?? 0) + next - at;
        at = next;
        enter(0);
        own = ofValue[values[step] ?? 0] ?? 0;
        next = step + 1 < blockEnd ? base + (offsets[step + 1] ?? 0) : blockEnd_ts;
      }
      const isLeft = step >= 0 && blockEnd_ts <= end;
      if (isLeft) {
        // Up to the end of the block, over whole blocks by their sums, and on from the block in which the pixel ends.
        const first = isBegun ? block : block + 1;
        if (!isBegun) this.#walk(block, step, at, blockEnd_ts, into, pixelAt);
        const last = lane.blockAt(end, block + 1);
        const [from, to] = [first * count, last * count];
        for (let of = 0; of < count; of++) {
          const all = (this.#before[to + of] ?? 0) - (this.#before[from + of] ?? 0);
          const sum = isBegun ? all - (begun[of] ?? 0) : all;
          if (sum > 0) into[pixelAt + of] = (into[pixelAt + of] ?? 0) + sum;
        }
        enter(last);
        begun.fill(0);
        at = base;
        own = ofValue[values[step] ?? 0] ?? 0;
        next = step + 1 < blockEnd ? base + (offsets[step + 1] ?? 0) : blockEnd_ts;
      }
      isBegun = isLeft;
      const sums = isLeft ? begun : into;
      const sumsAt = isLeft ? 0 : pixelAt;
      while (next < end) {
        sums[sumsAt + own] = (sums[sumsAt + own] ?? 0) + next - at;
        at = next;
        step++;
        own = ofValue[values[step] ?? 0] ?? 0;
        next = step + 1 < blockEnd ? base + (offsets[step + 1] ?? 0) : blockEnd_ts;
      }
      sums[sumsAt + own] = (sums[sumsAt + own] ?? 0) + end - at;
      at = end;
      if (isLeft)
        for (let of = 0; of < count; of++) into[pixelAt + of] = (into[pixelAt + of] ?? 0) + (begun[of] ?? 0);
    }
  }

  /** How long each class held within a range, in ns. */
  within(start: number, end: number): Float64Array {
    const sums = new Float64Array(this.#classes.count);
    if (end > start) this.addPixels(start, end - start, 1, sums);
    return sums;
  }

  /** Adds what holds from `at`, which lies in `step`, up to `end`, at most that of the block. */
  #walk(block: number, step: number, at: number, end: number, into: Float64Array, own: number): void {
    if (end === Infinity) return;
    const { lane } = this;
    const { ofValue } = this.#classes;
    const { offsets, values, bases } = lane.parts;
    const base = bases[block] ?? 0;
    const last = lane.firstOf(block + 1) - 1;
    let from = at;
    for (let index = step; from < end; index++) {
      const to = index < last ? Math.min(end, base + (offsets[index + 1] ?? 0)) : end;
      const of = own + (ofValue[values[index] ?? 0] ?? 0);
      into[of] = (into[of] ?? 0) + to - from;
      from = to;
    }
  }
}
