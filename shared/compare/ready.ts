import { divideWaits, stretchReader, type History, type JudgedBy } from '../causes/index.ts';
import type { Query } from '../engine/index.ts';
import type { Stretch } from '../tables/index.ts';
import type { JudgedRanks } from '../why-late/columns/index.ts';
import { WHYS } from '../why-late/index.ts';
import type { Blocks } from './blocks.ts';
import type { Cells } from './cells.ts';
import { FlatSums } from './flat-sums.ts';
import { LengthCounts } from './length-counts.ts';
import { classOf, Lengths } from './lengths.ts';
import type { Things } from './things.ts';

/**
 * Sums the time that threads were ready, by cause, and gives the lengths of the waits that ended in the range, by process class. The causes
 * of a thread class add up to all its ready time in each block. `runCount` says how many runs the range has, about.
 */
export async function sumReady(
  query: Query,
  blocks: Blocks,
  things: Things,
  cells: Cells,
  runCount: number,
): Promise<ReadonlyMap<number, Lengths>> {
  const { judged, count, read } = await stretchReader(query, runCount);
  const ended = new EndedLengths(blocks, things);
  const sums = new FlatSums(blocks);
  const ready = new ReadyCells(things, cells, sums);
  const step = Math.ceil(blocks.count / count);
  for (let first = 0; first < blocks.count; first += step) {
    const last = Math.min(blocks.count, first + step) - 1;
    const [start, end] = [blocks.stretch(first).start, blocks.stretch(last).end];
    const by = await read({ start, end });
    ended.add(by.history, { start, end });
    for (let block = first; block <= last; block++)
      if (blocks.isWhole(block)) ready.add(by, judged, block, blocks.stretch(block));
  }
  sums.finish(things);
  return ended.all();
}

/** The cells of ready time, by thread and cause. */
class ReadyCells {
  readonly #things: Things;
  readonly #cells: Cells;
  readonly #sums: FlatSums;
  /** The numbers of cells, by thread class and cause. */
  readonly #known: number[] = [];

  constructor(things: Things, cells: Cells, sums: FlatSums) {
    [this.#things, this.#cells, this.#sums] = [things, cells, sums];
  }

  /** Adds the waits of a block, as far as they lie in it. */
  add(by: JudgedBy, judged: JudgedRanks, block: number, { start, end }: Stretch): void {
    const { waits } = by.history;
    const [ts, te, utids] = [waits.column('ts'), waits.column('te'), waits.column('utid')];
    divideWaits(by, judged, { ts: start, te: end }, (row, ns) => {
      const utid = utids[row] ?? 0;
      const thread = this.#things.threadOf(utid);
      for (let why = 0; why < ns.length; why++) {
        const part_ns = ns[why] ?? 0;
        if (part_ns <= 0) continue;
        const cell = this.#cellOf(thread, why);
        this.#sums.addNs(cell, block, part_ns);
        this.#sums.keepMost(cell, part_ns, ts[row] ?? 0, te[row] ?? 0, utid);
      }
    });
  }

  #cellOf(thread: number, number: number): number {
    const at = thread * WHYS.length + number;
    const known = this.#known[at];
    if (known !== undefined) return known;
    const why = WHYS[number] ?? 'not_explained';
    return (this.#known[at] = this.#sums.numberOf(this.#cells.of(thread, { measure: 'ready', why })));
  }
}

/** The lengths of waits that ended, by process class. */
class EndedLengths {
  readonly #lengths: Lengths[] = [];
  /** The process classes of these. */
  readonly #processes: number[] = [];
  readonly #blocks: Blocks;
  readonly #things: Things;
  /** Which of the lengths are those of the process of each thread, by its key. */
  readonly #ofThread: number[] = [];
  readonly #numbers = new Map<number, number>();
  /** What was counted in a block: waits are told in the order of their ends, block by block. */
  readonly #counts = new LengthCounts();
  #block = 0;
  /** From when to when that lasts, if it counts; else nothing lies in it. */
  #from = Infinity;
  #to = -Infinity;

  constructor(blocks: Blocks, things: Things) {
    [this.#blocks, this.#things] = [blocks, things];
  }

  /** Adds the waits that ended in a stretch. */
  add({ waits }: History, { start, end }: Stretch): void {
    const [ts, te, ended] = [waits.column('ts'), waits.column('te'), waits.column('ended')];
    const utids = waits.column('utid');
    for (let row = 0; row < waits.count; row++) {
      const until = te[row] ?? 0;
      if (ended[row] !== 1 || until < start || until >= end) continue;
      if ((until < this.#from || until >= this.#to) && !this.#goTo(until)) continue;
      const utid = utids[row] ?? 0;
      const number = this.#ofThread[utid] ?? this.#numberOf(utid);
      const ns = until - (ts[row] ?? 0);
      this.#counts.add(number, classOf(ns));
      const longest = this.#lengths[number]?.longest;
      if (longest !== undefined && ns > (longest[this.#block] ?? 0)) longest[this.#block] = ns;
    }
  }

  /** The lengths, by process class, when all are added. */
  all(): ReadonlyMap<number, Lengths> {
    this.#finishBlock();
    return new Map(this.#lengths.map((lengths, number) => [this.#processes[number] ?? 0, lengths]));
  }

  /** Goes to the block of a time; not if that does not count. */
  #goTo(ts: number): boolean {
    const block = this.#blocks.at(ts);
    if (!this.#blocks.isWhole(block)) return false;
    this.#finishBlock();
    this.#block = block;
    ({ start: this.#from, end: this.#to } = this.#blocks.stretch(block));
    return true;
  }

  #finishBlock(): void {
    this.#counts.each((number, of, many) => this.#lengths[number]?.add(this.#block, of, many));
    this.#counts.clear();
  }

  #numberOf(utid: number): number {
    const process = this.#things.threads[this.#things.threadOf(utid)]?.process ?? 0;
    let number = this.#numbers.get(process);
    if (number === undefined) {
      number = this.#lengths.push(new Lengths(new Float64Array(this.#blocks.count))) - 1;
      this.#processes.push(process);
      this.#numbers.set(process, number);
    }
    return (this.#ofThread[utid] = number);
  }
}
