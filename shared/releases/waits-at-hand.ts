import { firstFrom, type Stretch } from '../tables/index.ts';
import type { EndedWaits } from './ended-waits.ts';

/** So many rows are at hand at first: a processor's cache holds them. */
const ROWS = 8192;

/**
 * The waits of a range, some thousand rows at a time. Over tens of millions each step would wait for memory; what is at hand lies in a
 * processor's cache. What does not pass adds nothing.
 */
export class WaitsAtHand {
  /** The first row at hand, and the one behind the last. */
  row: number;
  end: number;
  /** The waiting of those at hand before each; at last, of all. */
  before_ns = new Float64Array(ROWS + 1);
  /** What a moment holds that begins with each: of those whose next one is at hand. */
  held_ns = new Float64Array(ROWS);
  /** How many pass of all that was at hand so far. */
  passed = 0;
  readonly #to: number;
  // Columns by themselves: what an object has is looked up anew for each form of objects.
  readonly #te: Float64Array;
  readonly #waited_ns: Float64Array;
  readonly #longest_ns: Float64Array;
  readonly #next: Int32Array;
  readonly #at_least_ns: number;

  /** `next` has the first of all waits that ends a moment's length after each, or later. */
  constructor(waits: EndedWaits, next: Int32Array, range: Stretch, at_least_ns: number) {
    const { te, waited_ns, longest_ns } = waits;
    [this.#te, this.#waited_ns, this.#longest_ns] = [te, waited_ns, longest_ns];
    [this.#next, this.#at_least_ns] = [next, at_least_ns];
    this.row = firstFrom(te, 0, te.length, range.start);
    this.end = this.row;
    this.#to = firstFrom(te, this.row, te.length, range.end);
    this.#take();
  }

  /** True where the last ones are at hand. */
  get isLast(): boolean {
    return this.end === this.#to;
  }

  /** The first that ends a moment's length after a wait, or later. */
  nextOf(row: number): number {
    return Math.min(this.#next[row] ?? 0, this.#to);
  }

  passes(row: number): boolean {
    return (this.#longest_ns[row] ?? 0) >= this.#at_least_ns;
  }

  /** The first at hand that passes, from a row on; `end` where there is none. */
  firstPassing(from: number): number {
    let row = from;
    while (row < this.end && !this.passes(row)) row++;
    return row;
  }

  /** The first that ended less than a length before what is not at hand, or later. */
  firstWithin(length_ns: number): number {
    if (this.isLast) return this.end;
    return firstFrom(this.#te, this.row, this.end, (this.#te[this.end] ?? 0) - length_ns + 1);
  }

  /** Lets go of those before a row, and takes others as far as there is room. */
  takeFrom(row: number): void {
    // What is kept is looked at anew: most of what is at hand should be new.
    if (2 * (row - this.row) < this.held_ns.length) {
      this.held_ns = new Float64Array(2 * this.held_ns.length);
      this.before_ns = new Float64Array(this.held_ns.length + 1);
    }
    this.row = row;
    this.#take();
  }

  #take(): void {
    const [longest_ns, waited_ns] = [this.#longest_ns, this.#waited_ns];
    const { row, end: seen, before_ns, held_ns } = this;
    const end = Math.min(this.#to, row + held_ns.length);
    before_ns[0] = 0;
    addUp(longest_ns, waited_ns, row, seen, this.#at_least_ns, before_ns, 0);
    this.passed += addUp(longest_ns, waited_ns, seen, end, this.#at_least_ns, before_ns, seen - row);
    this.end = end;
    const known = firstFrom(this.#next, row, end, end + 1);
    findHeld(this.#next, row, known, before_ns, held_ns);
    const all_ns = before_ns[end - row] ?? 0;
    if (this.isLast)
      for (let at = known - row; at < end - row; at++) held_ns[at] = all_ns - (before_ns[at] ?? 0);
  }
}

/** Adds up the waits that pass, on from what those before a place are together; gives how many pass. */
function addUp(
  longest_ns: Float64Array,
  waited_ns: Float64Array,
  from: number,
  to: number,
  at_least_ns: number,
  before_ns: Float64Array,
  place: number,
): number {
  let passed = 0;
  let sum_ns = before_ns[place] ?? 0;
  const behind = place - from + 1;
  for (let row = from; row < to; row++) {
    // Without a branch, which a processor would often guess wrong.
    const passes = Number((longest_ns[row] ?? 0) >= at_least_ns);
    sum_ns += passes * (waited_ns[row] ?? 0);
    passed += passes;
    before_ns[row + behind] = sum_ns;
  }
  return passed;
}

function findHeld(
  next: Int32Array,
  from: number,
  to: number,
  before_ns: Float64Array,
  held_ns: Float64Array,
): void {
  for (let row = from; row < to; row++)
    held_ns[row - from] = (before_ns[(next[row] ?? 0) - from] ?? 0) - (before_ns[row - from] ?? 0);
}
