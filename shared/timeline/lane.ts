import { grown } from '../tables/index.ts';
import { BLOCK_MASK, pageOf, PAGE_MASK, PAGE_STEPS, StepPages } from './step-pages.ts';

/** The farthest that a step lies from the beginning of its block, in ns. */
export const FARTHEST_NS = 2 ** 32 - 1;
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
  #pages: StepPages;
  /** How many steps the newest page has room for. */
  #room = 0;
  /** When each block begins, and the place of its first step: places rise, but those of other lanes may lie between blocks. */
  #bases: Float64Array = new Float64Array(1);
  #firsts: Uint32Array = new Uint32Array(1);
  /** The place after the last step. */
  #end = 0;
  #last = -Infinity;

  constructor(wide = false) {
    this.#pages = new StepPages(wide);
  }

  /** A lane of steps that are there already; nothing is appended to it. */
  static of(pages: StepPages, { bases, firsts, length, end, last }: LaneBlocks): Lane {
    const lane = new Lane();
    lane.length = length;
    lane.blockCount = bases.length;
    lane.#pages = pages;
    lane.#bases = bases;
    lane.#firsts = firsts;
    lane.#end = end;
    lane.#last = last;
    return lane;
  }

  /** The time of the last step; -Infinity without any. */
  get last(): number {
    return this.#last;
  }

  /** Appends a step. At the time of the last step it replaces that; before it, nothing changes before the last step. */
  append(at: number, value: number): void {
    const end = this.#end;
    if (at <= this.#last) {
      this.#setValue(end - 1, value);
      return;
    }
    if (value === (end === 0 ? NOTHING : this.valueOf(end - 1))) return;
    if (end === this.#room) this.#grow();
    let base = this.#bases[this.blockCount - 1] ?? 0;
    if ((end & BLOCK_MASK) === 0 || at - base > FARTHEST_NS) {
      this.#startBlock(at);
      base = at;
    }
    const offsets = this.#pages.offsets[pageOf(end)];
    if (offsets !== undefined) offsets[end & PAGE_MASK] = at - base;
    this.#setValue(end, value);
    this.#end = end + 1;
    this.length = end + 1;
    this.#last = at;
  }

  /** When the step at a place begins. `block`: the block that it lies in. */
  timeOf(place: number, block: number): number {
    return (this.#bases[block] ?? 0) + (this.#pages.offsets[pageOf(place)]?.[place & PAGE_MASK] ?? 0);
  }

  /** When the step at a place of a block ends; the time before the first step is place and block -1. */
  endOf(place: number, block: number): number {
    return place + 1 < this.endPlaceOf(block) ? this.timeOf(place + 1, block) : this.beginOf(block + 1);
  }

  valueOf(place: number): number {
    return this.#pages.values[pageOf(place)]?.[place & PAGE_MASK] ?? NOTHING;
  }

  /** When a block begins, that is, its first step; Infinity for one after the last. */
  beginOf(block: number): number {
    return block < this.blockCount ? (this.#bases[block] ?? 0) : Infinity;
  }

  /** The place of the first step of a block. */
  firstOf(block: number): number {
    return this.#firsts[block] ?? 0;
  }

  /** The place after the last step of a block. */
  endPlaceOf(block: number): number {
    if (block < 0) return 0;
    const next = block + 1 < this.blockCount ? this.firstOf(block + 1) : this.#end;
    return Math.min(next, (this.firstOf(block) | BLOCK_MASK) + 1);
  }

  /** What the lane is made of, for who goes through many steps at once: lent, and only as long as nothing is appended. */
  get parts(): LaneParts {
    return { pages: this.#pages, bases: this.#bases };
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
    let place = this.firstOf(block);
    const end = this.endPlaceOf(block);
    while (place + 1 < end && this.timeOf(place + 1, block) <= at) place++;
    return { ts: this.timeOf(place, block), te: this.endOf(place, block), value: this.valueOf(place) };
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
    if (block === -1) return false;
    for (let place = this.firstOf(block), end = this.endPlaceOf(block); place < end; place++) {
      if (this.timeOf(place, block) !== at) continue;
      this.#setValue(place, value);
      return true;
    }
    return false;
  }

  /** Lets go of what was set aside to grow. */
  trim(): void {
    if (this.#room > this.#end) this.#resize(this.#end);
    this.#bases = this.#bases.slice(0, this.blockCount);
    this.#firsts = this.#firsts.slice(0, this.blockCount);
  }

  #setValue(place: number, value: number): void {
    const values = this.#pages.values[pageOf(place)];
    if (values !== undefined) values[place & PAGE_MASK] = value;
  }

  #startBlock(at: number): void {
    if (this.blockCount === this.#bases.length) {
      this.#bases = grown(this.#bases, new Float64Array(largerThan(this.blockCount)));
      this.#firsts = grown(this.#firsts, new Uint32Array(largerThan(this.blockCount)));
    }
    this.#bases[this.blockCount] = at;
    this.#firsts[this.blockCount] = this.#end;
    this.blockCount++;
  }

  #grow(): void {
    const before = this.#end & ~PAGE_MASK;
    this.#resize(before + Math.min(PAGE_STEPS, largerThan(this.#end - before)));
  }

  #resize(room: number): void {
    const page = pageOf(room - 1);
    this.#pages.resize(page, room - page * PAGE_STEPS);
    this.#room = room;
  }
}

/** Blocks of a lane: when each begins, and where its steps are. */
export interface LaneBlocks {
  readonly bases: Float64Array;
  /** The place of the first step of each block. */
  readonly firsts: Uint32Array;
  /** How many steps there are, the place after the last one, and its time. */
  readonly length: number;
  readonly end: number;
  readonly last: number;
}

/** The arrays of a lane. They may be longer than what they hold. */
export interface LaneParts {
  readonly pages: StepPages;
  /** When each block begins. */
  readonly bases: Float64Array;
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
