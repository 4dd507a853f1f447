import { grown, type NumberValues } from '../tables/index.ts';
import type { Blocks } from './blocks.ts';
import type { GrowingCell } from './cells.ts';
import { LengthCounts } from './length-counts.ts';
import { classOf } from './lengths.ts';
import type { Things } from './things.ts';

/** What a cell has: how much of its longest counts, in ns; and by block ns and a count. */
const [MOST, NS, COUNT] = [0, 1, 2];

/** Sums of cells in typed arrays, where millions of runs or waits are added up. {@link FlatSums.finish} brings them into the cells. */
export class FlatSums {
  readonly #blocks: Blocks;
  readonly #cells: GrowingCell[] = [];
  readonly #numbers = new Map<GrowingCell, number>();
  readonly #lengths = new LengthCounts();
  /** How many numbers each cell has. */
  readonly #stride: number;
  /** By cell what lies together, since memory that is not in the cache takes most of the time. */
  #sums = new Float64Array(0);
  /** By cell: the run or the wait with the longest part that counts, and its thread. */
  #mostTs = new Float64Array(0);
  #mostTe = new Float64Array(0);
  #mostUtid = new Float64Array(0);

  constructor(blocks: Blocks) {
    this.#blocks = blocks;
    this.#stride = 1 + 2 * blocks.count;
  }

  /** The number of a cell, by which its sums are asked for. */
  numberOf(cell: GrowingCell): number {
    const known = this.#numbers.get(cell);
    if (known !== undefined) return known;
    const number = this.#cells.push(cell) - 1;
    this.#numbers.set(cell, number);
    if (number >= this.#mostTs.length) this.#grow(Math.max(64, 2 * number));
    return number;
  }

  /**
   * Adds runs, each to its cell, or to none where that is -1: its ns to the blocks that it lies in, and itself to that in which it began.
   * Many at once: what each number is handed over for takes most of the time otherwise.
   */
  addRuns(cells: Int32Array, ts: NumberValues, te: NumberValues, utids: NumberValues): void {
    const { range, count, block_ns } = this.#blocks;
    for (let run = 0; run < cells.length; run++) {
      const cell = cells[run] ?? -1;
      if (cell < 0) continue;
      const start = ts[run] ?? 0;
      const end = te[run] ?? 0;
      const from = Math.max(start, range.start);
      const to = Math.min(end, range.end);
      const block = Math.min(count - 1, Math.floor((from - range.start) / block_ns));
      const first = cell * this.#stride;
      const counted_ns = to - from;
      const isIn = block === count - 1 || to <= range.start + (block + 1) * block_ns;
      if (isIn) this.#sums[first + NS + 2 * block] = (this.#sums[first + NS + 2 * block] ?? 0) + counted_ns;
      else this.#spread(cell, start, end);
      if (!this.#blocks.isWhole(block)) continue;
      if (start >= range.start) {
        this.#sums[first + COUNT + 2 * block] = (this.#sums[first + COUNT + 2 * block] ?? 0) + 1;
        this.#lengths.add(cell, classOf(end - start));
      }
      if (counted_ns > (this.#sums[first + MOST] ?? 0))
        this.#keep(cell, counted_ns, start, end, utids[run] ?? 0);
    }
  }

  /** Adds ns to a block. */
  addNs(cell: number, block: number, ns: number): void {
    this.#add(cell * this.#stride + NS + 2 * block, ns);
  }

  /** Adds a stretch of time, so many times, to the blocks that it lies in. */
  addStretch(cell: number, ts: number, te: number, times: number): void {
    const first = this.#blocks.at(ts);
    if (ts >= this.#blocks.range.start && te <= this.#blocks.endOf(first)) {
      this.addNs(cell, first, (te - ts) * times);
      return;
    }
    this.#spread(cell, ts, te, times);
  }

  /** Counts a wait in its block, and its length if the block counts. */
  countOne(cell: number, block: number, ns: number): void {
    if (!this.#blocks.isWhole(block)) return;
    this.#add(cell * this.#stride + COUNT + 2 * block, 1);
    this.#lengths.add(cell, classOf(ns));
  }

  /** Keeps a wait if it began in a block that counts, and more of it counts than of the one before. */
  keepMost(cell: number, counted_ns: number, ts: number, te: number, utid: number): void {
    const isMore = counted_ns > (this.#sums[cell * this.#stride + MOST] ?? 0);
    if (isMore && this.#blocks.isWhole(this.#blocks.at(ts))) this.#keep(cell, counted_ns, ts, te, utid);
  }

  /** Brings the sums into the cells, which hold nothing yet. */
  finish(things: Things): void {
    for (const [number, cell] of this.#cells.entries()) {
      const first = number * this.#stride;
      for (let block = 0; block < this.#blocks.count; block++) {
        cell.ns[block] = this.#sums[first + NS + 2 * block] ?? 0;
        cell.count[block] = this.#sums[first + COUNT + 2 * block] ?? 0;
      }
      const counted_ns = this.#sums[first + MOST] ?? 0;
      const [ts, te] = [this.#mostTs[number] ?? 0, this.#mostTe[number] ?? 0];
      if (counted_ns > 0) cell.most = { ts, te, tid: things.tidOf(this.#mostUtid[number] ?? 0), counted_ns };
    }
    this.#lengths.each((cell, of, many) => this.#cells[cell]?.lengths.set(of, many));
  }

  /** Adds the ns of a stretch of time to several blocks. */
  #spread(cell: number, ts: number, te: number, times = 1): void {
    const ns = new Float64Array(this.#blocks.count);
    this.#blocks.add(ns, ts, te);
    ns.forEach((of, block) => this.addNs(cell, block, of * times));
  }

  #keep(cell: number, counted_ns: number, ts: number, te: number, utid: number): void {
    this.#sums[cell * this.#stride + MOST] = counted_ns;
    this.#mostTs[cell] = ts;
    this.#mostTe[cell] = te;
    this.#mostUtid[cell] = utid;
  }

  #add(at: number, more: number): void {
    this.#sums[at] = (this.#sums[at] ?? 0) + more;
  }

  #grow(cells: number): void {
    this.#sums = grown(this.#sums, new Float64Array(cells * this.#stride));
    this.#mostTs = grown(this.#mostTs, new Float64Array(cells));
    this.#mostTe = grown(this.#mostTe, new Float64Array(cells));
    this.#mostUtid = grown(this.#mostUtid, new Float64Array(cells));
  }
}
