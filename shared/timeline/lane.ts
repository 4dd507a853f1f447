import { grown } from '../tables/index.ts';

/** So many steps at most make a block, of which sums are kept. */
const BLOCK_STEPS = 64;
/** The farthest that a step lies from the beginning of its block, in ns. */
const FARTHEST_NS = 2 ** 32 - 1;
/** A value where nothing is known to hold. */
export const NOTHING = 0;

/**
 * What holds over time: from each step on its value, up to the next step; before the first one {@link NOTHING}. Times are ns on the
 * trace clock. A step takes 6 bytes, or 8 where values are `wide`, and is exact.
 */
export class Lane {
  /** How many steps there are. */
  length = 0;
  /** How many blocks there are. */
  blockCount = 0;
  #offsets = new Uint32Array(4);
  #values: Uint16Array | Uint32Array;
  #bases = new Float64Array(1);
  #firsts = new Uint32Array(1);
  #last = -Infinity;

  constructor(wide = false) {
    this.#values = wide ? new Uint32Array(4) : new Uint16Array(4);
  }

  /** The time of the last step; -Infinity without any. */
  get last(): number {
    return this.#last;
  }

  /** Appends a step. At the time of the last step it replaces that; before it, nothing changes before the last step. */
  append(at: number, value: number): void {
    if (this.length > 0 && at <= this.#last) {
      this.#values[this.length - 1] = value;
      return;
    }
    if (value === (this.length === 0 ? NOTHING : this.#values[this.length - 1])) return;
    this.#startBlock(at);
    if (this.length === this.#offsets.length) this.#grow(1);
    this.#offsets[this.length] = at - (this.#bases[this.blockCount - 1] ?? 0);
    this.#values[this.length] = value;
    this.length++;
    this.#last = at;
  }

  /** Appends steps from the places `first` to `end` of two arrays: each later than the one before, and of another value. */
  appendAll(times: Float64Array, values: Uint16Array, first: number, end: number): void {
    if (this.length + end - first > this.#offsets.length) this.#grow(end - first);
    const offsets = this.#offsets;
    const ownValues = this.#values;
    let at = this.#last;
    let length = this.length;
    for (let place = first; place < end; place++) {
      at = times[place] ?? 0;
      this.length = length;
      this.#startBlock(at);
      offsets[length] = at - (this.#bases[this.blockCount - 1] ?? 0);
      ownValues[length] = values[place] ?? NOTHING;
      length++;
    }
    this.length = length;
    this.#last = at;
  }

  /** When step `index` begins; Infinity for one after the last. `block`: the block that it lies in. */
  timeOf(index: number, block: number): number {
    if (index >= this.length) return Infinity;
    return (this.#bases[block] ?? 0) + (this.#offsets[index] ?? 0);
  }

  /** When step `index` of a block ends; the time before the first step is step and block -1. */
  endOf(index: number, block: number): number {
    return index + 1 < this.firstOf(block + 1) ? this.timeOf(index + 1, block) : this.beginOf(block + 1);
  }

  valueOf(index: number): number {
    return this.#values[index] ?? NOTHING;
  }

  /** When a block begins, that is, its first step; Infinity for one after the last. */
  beginOf(block: number): number {
    return block < this.blockCount ? (this.#bases[block] ?? 0) : Infinity;
  }

  /** The first step of a block; the number of all steps for one after the last. */
  firstOf(block: number): number {
    return block < this.blockCount ? (this.#firsts[block] ?? 0) : this.length;
  }

  /** What the lane is made of, for who goes through many steps at once: lent, and only as long as nothing is appended. */
  get parts(): LaneParts {
    return { offsets: this.#offsets, values: this.#values, bases: this.#bases, firsts: this.#firsts };
  }

  /** The last block that begins at `at` or before, looked for from block `from` on; -1 where none does. */
  blockAt(at: number, from = 0): number {
    let low = Math.max(0, from);
    if (this.beginOf(low) > at) return low - 1;
    let reach = 1;
    while (this.beginOf(low + reach) <= at) {
      low += reach;
      reach *= 2;
    }
    let high = Math.min(this.blockCount, low + reach);
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.beginOf(middle) <= at) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The stretch around `at` in which one value holds, and that. Times may be infinite at the ends of the lane. */
  at(at: number): Step {
    const block = this.blockAt(at);
    if (block === -1) return { ts: -Infinity, te: this.beginOf(0), value: NOTHING };
    let index = this.firstOf(block);
    const end = this.firstOf(block + 1);
    while (index + 1 < end && this.timeOf(index + 1, block) <= at) index++;
    return { ts: this.timeOf(index, block), te: this.endOf(index, block), value: this.valueOf(index) };
  }

  /** Calls `visit` with each stretch that overlaps a range, in the order of time, until it gives false. */
  visit(start: number, end: number, visit: (step: Step) => boolean | undefined): void {
    let step = this.at(start);
    while (step.ts < end) {
      if (visit(step) === false || step.te === Infinity) return;
      step = this.at(step.te);
    }
  }

  /** Has `value` hold where a step begins at `at`; says whether there is one. */
  replace(at: number, value: number): boolean {
    const block = this.blockAt(at);
    for (let index = this.firstOf(block), end = this.firstOf(block + 1); index < end; index++) {
      if (this.timeOf(index, block) !== at) continue;
      this.#values[index] = value;
      return true;
    }
    return false;
  }

  /** Lets go of what was set aside to grow. */
  trim(): void {
    this.#offsets = this.#offsets.slice(0, this.length);
    this.#values = this.#values.slice(0, this.length);
    this.#bases = this.#bases.slice(0, this.blockCount);
    this.#firsts = this.#firsts.slice(0, this.blockCount);
  }

  #startBlock(at: number): void {
    const last = this.blockCount - 1;
    const isRoom =
      last >= 0 &&
      this.length - (this.#firsts[last] ?? 0) < BLOCK_STEPS &&
      at - (this.#bases[last] ?? 0) <= FARTHEST_NS;
    if (isRoom) return;
    if (this.blockCount === this.#bases.length) {
      this.#bases = grown(this.#bases, new Float64Array(largerThan(this.blockCount)));
      this.#firsts = grown(this.#firsts, new Uint32Array(largerThan(this.blockCount)));
    }
    this.#bases[this.blockCount] = at;
    this.#firsts[this.blockCount] = this.length;
    this.blockCount++;
  }

  #grow(steps: number): void {
    const length = largerThan(this.length + steps);
    this.#offsets = grown(this.#offsets, new Uint32Array(length));
    const values = this.#values instanceof Uint16Array ? new Uint16Array(length) : new Uint32Array(length);
    this.#values = grown(this.#values, values);
  }
}

/** The arrays of a lane. They may be longer than what they hold. */
export interface LaneParts {
  /** When each step begins, in ns after its block, and its value. */
  readonly offsets: Uint32Array;
  readonly values: Uint16Array | Uint32Array;
  /** When each block begins, and its first step. */
  readonly bases: Float64Array;
  readonly firsts: Uint32Array;
}

/** A stretch in which one value holds; `te` is outside. */
export interface Step {
  readonly ts: number;
  readonly te: number;
  readonly value: number;
}

/** A little at a time: lanes of all threads grow at once. */
function largerThan(length: number): number {
  return Math.ceil(length * 1.25) + 4;
}
