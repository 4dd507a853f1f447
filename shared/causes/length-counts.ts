import { firstWhere } from './rows.ts';

/** So many blocks the rows of {@link CountedLengths} are in at most. */
export const MOST_BLOCKS = 1 << 8;

/** Lengths in whole ns, those of each part by themselves. */
export class LengthCounts {
  readonly #parts: readonly CountedLengths[];
  /** How many there are. */
  readonly count: number;

  constructor(parts: readonly CountedLengths[]) {
    this.#parts = parts.filter(({ count }) => count > 0);
    this.count = parts.reduce((sum, { count }) => sum + count, 0);
  }

  /** How many are shorter. */
  below(ns: number): number {
    return this.#parts.reduce((sum, part) => sum + part.below(ns), 0);
  }

  /** The shortest of them; Infinity of none. */
  shortest(): number {
    return this.#parts.reduce((least, part) => Math.min(least, part.lengths[0] ?? Infinity), Infinity);
  }

  /** The longest of them; 0 of none. */
  longest(): number {
    return this.#parts.reduce((most, part) => Math.max(most, part.lengths.at(-1) ?? 0), 0);
  }

  /** That which has so many before it, the shortest first; 0 where there are no more. */
  at(rank: number): number {
    if (rank >= this.count) return 0;
    let [least, most] = [this.shortest(), this.longest()];
    while (least < most) {
      const middle = Math.floor((least + most) / 2);
      if (this.below(middle + 1) > rank) most = middle;
      else least = middle + 1;
    }
    return least;
  }
}

/** Lengths of some rows in whole ns, each length once, and how many there are of it and of shorter ones. */
export class CountedLengths {
  /** They rise. */
  readonly lengths: Float64Array;
  readonly #until: Uint32Array;
  /** By row, the shortest first: the block of rows that it is of. Null where all are of block 0. */
  readonly #blocks: Uint8Array | null;
  readonly count: number;

  /** `sorted`: the shortest first. `blocks`: of which block each of these is. */
  constructor(sorted: Float64Array, blocks: Uint8Array | null = null) {
    const lengths = new Float64Array(sorted.length);
    const until = new Uint32Array(sorted.length);
    const different = countEach(sorted, lengths, until);
    [this.lengths, this.#until] = [lengths.slice(0, different), until.slice(0, different)];
    [this.#blocks, this.count] = [blocks, sorted.length];
  }

  /** How many are shorter. */
  below(ns: number): number {
    const different = firstWhere(this.lengths.length, (at) => (this.lengths[at] ?? 0) >= ns);
    return different === 0 ? 0 : (this.#until[different - 1] ?? 0);
  }

  /** How many have a length from one to another, both inside. */
  within(from_ns: number, to_ns: number): number {
    return Math.max(0, this.below(Math.floor(to_ns) + 1) - this.below(from_ns));
  }

  /** By block: how many of it have a length from one to another, both inside. */
  withinByBlock(from_ns: number, to_ns: number): Uint32Array {
    const counts = new Uint32Array(MOST_BLOCKS);
    const before = this.below(from_ns);
    const count = this.within(from_ns, to_ns);
    if (this.#blocks === null) counts[0] = count;
    else countValues(this.#blocks.subarray(before, before + count), counts);
    return counts;
  }

  /** How many bytes it takes. */
  bytes(): number {
    return this.lengths.byteLength + this.#until.byteLength + (this.#blocks?.byteLength ?? 0);
  }
}

/** Writes each length once, and how many there are until it. Gives how many differ. */
function countEach(sorted: Float64Array, lengths: Float64Array, until: Uint32Array): number {
  let different = 0;
  for (let at = 0; at < sorted.length; at++) {
    const length = sorted[at] ?? 0;
    if (different === 0 || lengths[different - 1] !== length) lengths[different++] = length;
    until[different - 1] = at + 1;
  }
  return different;
}

function countValues(values: Uint8Array, counts: Uint32Array): void {
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
}
