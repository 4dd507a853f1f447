import { grown } from '../tables/index.ts';

/** So many classes of length each doubling has: a class is 4 % wide. */
const CLASSES = 16;

/** The classes of the shortest whole lengths, which most are: found sooner than worked out. */
const SHORT = Uint16Array.from({ length: 1 << 16 }, (_, ns) => workedOut(ns));

/** The class of a length in whole ns. */
export function classOf(ns: number): number {
  // Looked up by a small integer only: code that meets another key is compiled anew each time.
  return ns >= 0 && ns < SHORT.length ? (SHORT[ns | 0] ?? 0) : workedOut(ns);
}

function workedOut(ns: number): number {
  return ns < 1 ? 0 : 1 + Math.floor(Math.log2(ns) * CLASSES);
}

/** The middle of a class, in ns. */
export function middleOf(of: number): number {
  return of === 0 ? 0 : 2 ** ((of - 0.5) / CLASSES);
}

/** Counts a length in its class. */
export function countLength(counts: Map<number, number>, ns: number): void {
  const of = classOf(ns);
  counts.set(of, (counts.get(of) ?? 0) + 1);
}

/** How long waits were: how many of each class in each block. All counts lie in one array: there are thousands of classes in all. */
export class Lengths {
  /** The longest of each block, in ns. */
  readonly longest: Float64Array;
  /** The classes that there are, in the order in which they came. */
  readonly #classes: number[];
  /** By class, its place among these; none for a class that did not come. Null until lengths are added. */
  #places: number[] | null = null;
  /** By class and block. */
  #counts: Float64Array;

  /** Takes the longest of each block; and the counts of some classes, block by block, one class after the other. */
  constructor(
    longest: Float64Array,
    classes: readonly number[] = [],
    counts: Float64Array = new Float64Array(0),
  ) {
    [this.longest, this.#classes, this.#counts] = [longest, [...classes], counts];
  }

  get classes(): readonly number[] {
    return this.#classes;
  }

  /** By place of a class, and by block. */
  get counts(): Float64Array {
    return this.#counts.subarray(0, this.#classes.length * this.longest.length);
  }

  /** Adds lengths of a class in a block. */
  add(block: number, of: number, many: number): void {
    const places = (this.#places ??= this.#ownPlaces());
    const at = (places[of] ??= this.#newPlace(of)) * this.longest.length + block;
    this.#counts[at] = (this.#counts[at] ?? 0) + many;
  }

  /** The lengths in some blocks, which `pick` picks of values by block. */
  of(pick: (values: Float64Array) => Float64Array): Lengths {
    const longest = pick(this.longest);
    const counts = new Float64Array(this.#classes.length * longest.length);
    for (let place = 0; place < this.#classes.length; place++) {
      const first = place * this.longest.length;
      counts.set(pick(this.#counts.subarray(first, first + this.longest.length)), place * longest.length);
    }
    return new Lengths(longest, this.#classes, counts);
  }

  #ownPlaces(): number[] {
    const places: number[] = [];
    for (const [place, of] of this.#classes.entries()) places[of] = place;
    return places;
  }

  #newPlace(of: number): number {
    const place = this.#classes.push(of) - 1;
    const blocks = this.longest.length;
    if ((place + 1) * blocks > this.#counts.length)
      this.#counts = grown(this.#counts, new Float64Array(2 * (place + 1) * blocks));
    return place;
  }
}
