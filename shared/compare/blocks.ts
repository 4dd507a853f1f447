import type { Stretch } from '../tables/index.ts';

/** A stretch of time in which events of a CPU are missing; `te` is outside. */
export interface Gap {
  readonly ts: number;
  readonly te: number;
}

const BLOCK_NS = 1e9;
/** A longer range has longer blocks: what is summed stays small. */
const BLOCKS_MAX = 256;
/** A block is whole whose gaps, of all CPUs together, are no longer than this part of it. */
const GAPS_MAX = 0.01;

/**
 * A range, cut into blocks of a second or, of a long range, of several; the last one may be shorter. Blocks with gaps are no part of what
 * is summed, unless all have gaps.
 */
export class Blocks {
  readonly range: Stretch;
  readonly block_ns: number;
  readonly count: number;
  /** The length of each block in ns. */
  readonly lengths: Float64Array;
  /** 1 for each block that counts. */
  readonly #isWhole: Uint8Array;
  /** Whether all blocks count. */
  readonly areAllWhole: boolean;

  constructor(range: Stretch, gaps: readonly Gap[]) {
    this.range = range;
    const length_ns = range.end - range.start;
    this.block_ns = BLOCK_NS * Math.max(1, Math.ceil(length_ns / BLOCK_NS / BLOCKS_MAX));
    // A last block of less than half the length belongs to the one before.
    this.count = Math.max(1, Math.round(length_ns / this.block_ns));
    this.lengths = new Float64Array(this.count).fill(this.block_ns);
    this.lengths[this.count - 1] = length_ns - (this.count - 1) * this.block_ns;
    const missing_ns = new Float64Array(this.count);
    for (const { ts, te } of gaps) this.add(missing_ns, ts, te);
    this.#isWhole = Uint8Array.from(this.lengths, (length, block) =>
      (missing_ns[block] ?? 0) <= GAPS_MAX * length ? 1 : 0,
    );
    if (!this.#isWhole.includes(1)) this.#isWhole.fill(1);
    this.areAllWhole = !this.#isWhole.includes(0);
  }

  /** Whether what happens in a block counts. */
  isWhole(block: number): boolean {
    return this.#isWhole[block] === 1;
  }

  /** Of values by block, those of blocks that count: the same ones where all do. */
  whole(values: Float64Array): Float64Array {
    return this.areAllWhole ? values : values.filter((_, block) => this.isWhole(block));
  }

  /** The block of a time of the range. */
  at(ts: number): number {
    return Math.min(this.count - 1, Math.max(0, Math.floor((ts - this.range.start) / this.block_ns)));
  }

  /** The stretch of a block. */
  stretch(block: number): Stretch {
    return { start: this.range.start + block * this.block_ns, end: this.endOf(block) };
  }

  /** When a block ends. */
  endOf(block: number): number {
    return this.range.start + block * this.block_ns + (this.lengths[block] ?? 0);
  }

  /** Adds the ns of a stretch of time to the blocks that it lies in. */
  add(sums: Float64Array, ts: number, te: number): void {
    let from = Math.max(ts, this.range.start);
    const to = Math.min(te, this.range.end);
    if (from >= to) return;
    const last = this.at(to - 1);
    for (let block = this.at(from); block < last; block++) {
      const end = this.range.start + (block + 1) * this.block_ns;
      sums[block] = (sums[block] ?? 0) + end - from;
      from = end;
    }
    sums[last] = (sums[last] ?? 0) + to - from;
  }
}
