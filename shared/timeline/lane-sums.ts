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
    let block = lane.blockAt(start);
    let step = -1;
    let next = lane.beginOf(0);
    if (block >= 0) {
      step = lane.firstOf(block);
      next = this.#nextOf(step, block);
      while (next <= start) next = this.#nextOf(++step, block);
    }
    let at = start;
    for (let pixel = 0; pixel < pixels; pixel++) {
      const end = start + (pixel + 1) * pixel_ns;
      const own = pixel * count;
      if (next < end && block >= 0 && lane.beginOf(block + 1) <= end) {
        // Up to the end of the block, over whole blocks by their sums, and on from the block in which the pixel ends.
        this.#walk(block, step, at, lane.beginOf(block + 1), into, own);
        const last = lane.blockAt(end, block + 1);
        const [from, to] = [(block + 1) * count, last * count];
        for (let of = 0; of < count; of++) {
          const sum = (this.#before[to + of] ?? 0) - (this.#before[from + of] ?? 0);
          if (sum !== 0) into[own + of] = (into[own + of] ?? 0) + sum;
        }
        block = last;
        step = lane.firstOf(block);
        at = lane.beginOf(block);
        next = this.#nextOf(step, block);
      }
      while (next < end) {
        const of = own + (step < 0 ? 0 : (ofValue[lane.valueOf(step)] ?? 0));
        into[of] = (into[of] ?? 0) + next - at;
        at = next;
        step++;
        if (step >= lane.firstOf(block + 1)) block++;
        next = this.#nextOf(step, block);
      }
      const of = own + (step < 0 ? 0 : (ofValue[lane.valueOf(step)] ?? 0));
      into[of] = (into[of] ?? 0) + end - at;
      at = end;
    }
  }

  /** How long each class held within a range, in ns. */
  within(start: number, end: number): Float64Array {
    const sums = new Float64Array(this.#classes.count);
    if (end > start) this.addPixels(start, end - start, 1, sums);
    return sums;
  }

  /** When the step after `step` begins. */
  #nextOf(step: number, block: number): number {
    const { lane } = this;
    return step + 1 < lane.firstOf(block + 1) ? lane.timeOf(step + 1, block) : lane.beginOf(block + 1);
  }

  /** Adds what holds from `at`, which lies in `step`, up to `end`, at most that of the block. */
  #walk(block: number, step: number, at: number, end: number, into: Float64Array, own: number): void {
    if (end === Infinity) return;
    const { ofValue } = this.#classes;
    let from = at;
    for (let index = step; from < end; index++) {
      const to = Math.min(end, this.#nextOf(index, block));
      const of = own + (ofValue[this.lane.valueOf(index)] ?? 0);
      into[of] = (into[of] ?? 0) + to - from;
      from = to;
    }
  }
}
