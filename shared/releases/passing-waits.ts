import { firstFrom, type Stretch } from '../tables/index.ts';
import type { EndedWaits } from './ended-waits.ts';

/** So many rows are at hand at first: a processor's cache holds them. */
const ROWS = 8192;

/**
 * The waits of a range that pass, some thousand rows at a time. Over tens of millions each step would wait for memory; what is at hand lies
 * in a processor's cache.
 */
export class PassingWaits {
  /** How many are at hand. */
  count = 0;
  /** The rows of those at hand. */
  rows = new Int32Array(0);
  /** How many pass in all that was at hand so far. */
  passed = 0;
  /** Of each the first that ends a moment's length after it, or later. */
  next = new Int32Array(0);
  /** The waiting of those at hand before each; at last, of all. */
  before_ns = new Float64Array(0);
  /** What a moment holds that begins with each. */
  held_ns = new Float64Array(0);
  /** Of each row at hand, and the one behind them, how many before it pass. */
  #places = new Int32Array(0);
  #row = 0;
  #end: number;
  readonly #to: number;
  readonly #waits: EndedWaits;
  readonly #at_least_ns: number;
  readonly #next: Int32Array;

  /** `next` has the first of all waits that ends a moment's length after each, or later. */
  constructor(waits: EndedWaits, next: Int32Array, range: Stretch, at_least_ns: number) {
    const { te } = waits;
    [this.#waits, this.#next, this.#at_least_ns] = [waits, next, at_least_ns];
    const from = firstFrom(te, 0, te.length, range.start);
    this.#to = firstFrom(te, from, te.length, range.end);
    this.#end = from;
    this.#makeRoom(ROWS);
    this.#take(from);
  }

  /** True where the last ones are at hand. */
  get isLast(): boolean {
    return this.#end === this.#to;
  }

  /** How many of the first ones ended so long before the end of what is at hand, or longer. */
  countBefore(length_ns: number): number {
    if (this.isLast) return this.count;
    const { te } = this.#waits;
    const until_ts = (te[this.#end] ?? 0) - length_ns;
    return this.#places[firstFrom(te, this.#row, this.#end, until_ts + 1) - this.#row] ?? 0;
  }

  /** Lets go of those before a place, and takes others as far as there is room. */
  takeFrom(place: number): void {
    const row = place < this.count ? (this.rows[place] ?? 0) : this.#end;
    // What is kept is looked at anew: most of what is at hand should be new.
    if (2 * (row - this.#row) < this.#places.length) this.#makeRoom(2 * (this.#places.length - 1));
    this.#take(row);
  }

  #take(row: number): void {
    const { longest_ns, waited_ns } = this.#waits;
    const seen = this.#end;
    const end = Math.min(this.#to, row + this.#places.length - 1);
    [this.#row, this.#end] = [row, end];
    this.count = pick(longest_ns, row, end, this.#at_least_ns, this.#places, this.rows);
    this.passed += this.count - (this.#places[seen - row] ?? 0);
    addUp(waited_ns, this.rows, this.count, this.before_ns);
    this.#lookAhead();
  }

  /** Finds `next` and `held_ns` of those whose next one is at hand. */
  #lookAhead(): void {
    const { rows, count, before_ns, next, held_ns } = this;
    const [places, nextRows] = [this.#places, this.#next];
    const [row, end, to] = [this.#row, this.#end, this.#to];
    for (let at = 0; at < count; at++) {
      const nextRow = Math.min(nextRows[rows[at] ?? 0] ?? 0, to);
      if (nextRow > end) return;
      const place = places[nextRow - row] ?? 0;
      next[at] = place;
      held_ns[at] = (before_ns[place] ?? 0) - (before_ns[at] ?? 0);
    }
  }

  #makeRoom(rows: number): void {
    this.rows = new Int32Array(rows + 1);
    this.next = new Int32Array(rows);
    this.before_ns = new Float64Array(rows + 1);
    this.held_ns = new Float64Array(rows);
    this.#places = new Int32Array(rows + 1);
  }
}

/** Picks the rows that pass; gives how many they are. */
function pick(
  longest_ns: Float64Array,
  from: number,
  to: number,
  at_least_ns: number,
  places: Int32Array,
  rows: Int32Array,
): number {
  let picked = 0;
  for (let row = from; row < to; row++) {
    places[row - from] = picked;
    rows[picked] = row;
    // Without a branch, which a processor would often guess wrong.
    picked += Number((longest_ns[row] ?? 0) >= at_least_ns);
  }
  places[to - from] = picked;
  return picked;
}

/** Adds up the waiting of rows, before each and at last of all. */
function addUp(waited_ns: Float64Array, rows: Int32Array, count: number, before_ns: Float64Array): void {
  let sum_ns = 0;
  for (let at = 0; at < count; at++) {
    before_ns[at] = sum_ns;
    sum_ns += waited_ns[rows[at] ?? 0] ?? 0;
  }
  before_ns[count] = sum_ns;
}
