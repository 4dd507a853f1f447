import { grown } from '../tables/index.ts';
import type { Blocks } from './blocks.ts';
import type { Cell } from './cells.ts';
import { LengthCounts } from './length-counts.ts';
import { classOf } from './lengths.ts';
import type { Things } from './things.ts';

/** Sums of cells in typed arrays, where millions of runs or waits are added up. {@link FlatSums.finish} brings them into the cells. */
export class FlatSums {
  readonly #blocks: Blocks;
  readonly #cells: Cell[] = [];
  readonly #numbers = new Map<Cell, number>();
  readonly #lengths = new LengthCounts();
  /** By cell, and in it by block. */
  #ns = new Float64Array(0);
  #count = new Float64Array(0);
  /** By cell: of which run or wait most counts, and whose that is. */
  #most_ns = new Float64Array(0);
  #mostTs = new Float64Array(0);
  #mostTe = new Float64Array(0);
  #mostUtid = new Float64Array(0);

  constructor(blocks: Blocks) {
    this.#blocks = blocks;
  }

  /** The number of a cell, by which its sums are asked for. */
  numberOf(cell: Cell): number {
    const known = this.#numbers.get(cell);
    if (known !== undefined) return known;
    const number = this.#cells.push(cell) - 1;
    this.#numbers.set(cell, number);
    if (number >= this.#most_ns.length) this.#grow(Math.max(64, 2 * number));
    return number;
  }

  /** Adds the ns of a stretch of time to the blocks that it lies in. */
  addStretch(cell: number, ts: number, te: number): void {
    const { range, count } = this.#blocks;
    const from = Math.max(ts, range.start);
    const to = Math.min(te, range.end);
    if (from >= to) return;
    const block = this.#blocks.at(to - 1);
    if (this.#blocks.at(from) === block) this.#addTo(this.#ns, cell, block, to - from);
    else this.#blocks.add(this.#ns.subarray(cell * count, (cell + 1) * count), ts, te);
  }

  /** Adds ns to a block. */
  addNs(cell: number, block: number, ns: number): void {
    this.#addTo(this.#ns, cell, block, ns);
  }

  /** Counts a run or a wait in its block, and its length if the block counts. */
  countOne(cell: number, block: number, ns: number): void {
    if (!this.#blocks.isWhole(block)) return;
    this.#addTo(this.#count, cell, block, 1);
    this.#lengths.add(cell, classOf(ns));
  }

  /** Keeps a run or a wait if it began in a block that counts, and more of it counts than of the one before. */
  keepMost(cell: number, counted_ns: number, ts: number, te: number, utid: number): void {
    if (counted_ns <= (this.#most_ns[cell] ?? 0) || !this.#blocks.isWhole(this.#blocks.at(ts))) return;
    this.#most_ns[cell] = counted_ns;
    this.#mostTs[cell] = ts;
    this.#mostTe[cell] = te;
    this.#mostUtid[cell] = utid;
  }

  /** Brings the sums into the cells, which hold nothing yet. */
  finish(things: Things): void {
    const { count } = this.#blocks;
    this.#cells.forEach((cell, number) => {
      cell.ns.set(this.#ns.subarray(number * count, (number + 1) * count));
      cell.count.set(this.#count.subarray(number * count, (number + 1) * count));
      const counted_ns = this.#most_ns[number] ?? 0;
      const [ts, te] = [this.#mostTs[number] ?? 0, this.#mostTe[number] ?? 0];
      if (counted_ns > 0) cell.most = { ts, te, tid: things.tidOf(this.#mostUtid[number] ?? 0), counted_ns };
    });
    for (const [cell, of, many] of this.#lengths.all()) this.#cells[cell]?.lengths.set(of, many);
  }

  #addTo(sums: Float64Array, cell: number, block: number, more: number): void {
    const at = cell * this.#blocks.count + block;
    sums[at] = (sums[at] ?? 0) + more;
  }

  #grow(cells: number): void {
    const wider = (of: Float64Array, each: number) => grown(of, new Float64Array(cells * each));
    const { count } = this.#blocks;
    [this.#ns, this.#count] = [wider(this.#ns, count), wider(this.#count, count)];
    this.#most_ns = wider(this.#most_ns, 1);
    this.#mostTs = wider(this.#mostTs, 1);
    this.#mostTe = wider(this.#mostTe, 1);
    this.#mostUtid = wider(this.#mostUtid, 1);
  }
}
