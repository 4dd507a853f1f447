import {
  AROUND_NS,
  firstWhere,
  loadHistory,
  splitReady,
  waitAt,
  type History,
  type JudgedBy,
} from '../causes/index.ts';
import type { Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { loadCpuRecord, loadJudgedRanks, loadMachine, type Wait } from '../why-late/columns/index.ts';
import type { Why } from '../why-late/index.ts';
import type { Blocks } from './blocks.ts';
import { keepMost, type Cells } from './cells.ts';
import { Lengths } from './lengths.ts';
import type { Things } from './things.ts';

/** So many pieces of a block are always divided. */
const LEAST_PIECES = 500;
/** Of a piece that more runs touch than this, stretches are divided that together have so many. */
const RUNS_OF_PIECE = 2_000;
const STRETCHES = 16;
/** So many runs are held at a time, about. */
const RUNS_HELD = 200_000;

/** The part of a ready wait that lies in a block. */
interface Piece extends Stretch {
  readonly row: number;
}

/** What is summed up of ready waits. */
export interface ReadySums {
  /** The lengths of the waits that ended in the range, by process class. */
  readonly lengths: ReadonlyMap<number, Lengths>;
  /** False where a sample of the waits stands for all: then sums by cause are estimates that add up to the whole. */
  readonly areAllDivided: boolean;
}

/**
 * Sums the time that threads were ready, by cause. The causes of a thread class add up to all its ready time in each block.
 * `runCount` says how many runs the range has, about. About so many `pieces` of waits are divided; of more than these a sample
 * stands for the others.
 */
export async function sumReady(
  query: Query,
  blocks: Blocks,
  things: Things,
  cells: Cells,
  { runCount, pieces: piecesMax }: { readonly runCount: number; readonly pieces: number },
): Promise<ReadySums> {
  const { outline, tables, hasColumns } = dataOf(query);
  const machine = await loadMachine(outline);
  const { losses, first_run_ts } = await loadCpuRecord(tables, machine);
  const judged = await loadJudgedRanks(query);
  const ended = new EndedLengths(blocks, things);
  const limit = Math.max(LEAST_PIECES, piecesMax / blocks.count);
  // By SQL each stretch costs a query of the whole.
  const chunks = hasColumns ? Math.max(1, Math.ceil(runCount / RUNS_HELD)) : 1;
  const step = Math.ceil(blocks.count / chunks);
  let areAllDivided = true;
  for (let first = 0; first < blocks.count; first += step) {
    const last = Math.min(blocks.count, first + step) - 1;
    const [start, end] = [blocks.stretch(first).start, blocks.stretch(last).end];
    const history = await loadHistory(tables, { start: start - AROUND_NS, end: end + AROUND_NS });
    const by: JudgedBy = { history, machine, losses, first_run_ts };
    ended.add(history, { start, end });
    for (let block = first; block <= last; block++) {
      const stretch = blocks.stretch(block);
      const runsPerNs = runsIn(history, stretch) / (stretch.end - stretch.start);
      const pieces = new Pieces(history, stretch, things);
      const areFew = pieces.count <= limit;
      if (!areFew) areAllDivided = false;
      for (const [thread, rows] of pieces.byThread) {
        for (const { piece, weight } of areFew ? pieces.all(rows) : pieces.sample(rows, limit)) {
          const wait = waitAt(history, piece.row, judged);
          for (const [why, ns] of divide(by, wait, piece, runsPerNs)) {
            const cell = cells.of(thread, { measure: 'ready', why });
            cell.ns[block] = (cell.ns[block] ?? 0) + ns * weight;
            keepMost(cell, ns, () => placeOf(history, piece.row, things));
          }
        }
      }
    }
  }
  return { lengths: ended.lengths, areAllDivided };
}

function placeOf({ waits }: History, row: number, things: Things) {
  const of = (name: 'ts' | 'te' | 'utid') => waits.column(name)[row] ?? 0;
  return { ts: of('ts'), te: of('te'), tid: things.tidOf(of('utid')) };
}

/** The time of a piece by cause. Of one that very many runs touch, stretches stand for the whole. */
function divide(by: JudgedBy, wait: Wait, piece: Piece, runsPerNs: number): ReadonlyMap<Why, number> {
  const length_ns = piece.end - piece.start;
  const looked_ns = Math.min(length_ns, RUNS_OF_PIECE / Math.max(runsPerNs, 1e-12));
  const parts = new Map<Why, number>();
  const add = (ts: number, te: number, scale: number) => {
    for (const part of splitReady(by, wait, { ts, te }))
      parts.set(part.why, (parts.get(part.why) ?? 0) + (part.te - part.ts) * scale);
  };
  if (looked_ns === length_ns) {
    add(piece.start, piece.end, 1);
    return parts;
  }
  const [slot_ns, each_ns] = [length_ns / STRETCHES, Math.max(1, Math.floor(looked_ns / STRETCHES))];
  for (let slot = 0; slot < STRETCHES; slot++) {
    const ts = Math.floor(piece.start + slot * slot_ns + (slot_ns - each_ns) / 2);
    add(ts, ts + each_ns, length_ns / (STRETCHES * each_ns));
  }
  return parts;
}

/** A piece, and how many ns each of its ns stands for. */
interface WeighedPiece {
  readonly piece: Piece;
  readonly weight: number;
}

/** The pieces of waits that lie in a block. */
class Pieces {
  /** Rows of waits, by thread class. */
  readonly byThread = new Map<number, number[]>();
  readonly #block: Stretch;
  readonly #ts: Float64Array;
  readonly #te: Float64Array;
  #count = 0;
  #all_ns = 0;

  constructor({ waits }: History, block: Stretch, things: Things) {
    this.#block = block;
    [this.#ts, this.#te] = [waits.column('ts'), waits.column('te')];
    const utids = waits.column('utid');
    for (let row = 0; row < waits.count; row++) {
      const length_ns = this.#lengthOf(row);
      if (length_ns <= 0) continue;
      this.#count++;
      this.#all_ns += length_ns;
      const thread = things.threadOf(utids[row] ?? 0);
      const own = this.byThread.get(thread);
      if (own === undefined) this.byThread.set(thread, [row]);
      else own.push(row);
    }
  }

  get count(): number {
    return this.#count;
  }

  all(rows: readonly number[]): readonly WeighedPiece[] {
    return rows.map((row) => ({ piece: this.#piece(row), weight: 1 }));
  }

  /** About so many pieces of the block stand for all: points at equal distances along the pieces, laid end to end, choose them. */
  sample(rows: readonly number[], many: number): readonly WeighedPiece[] {
    const total_ns = rows.reduce((sum, row) => sum + this.#lengthOf(row), 0);
    const points = Math.max(1, Math.ceil(total_ns * (many / this.#all_ns)));
    const distance_ns = total_ns / points;
    const chosen: WeighedPiece[] = [];
    let [at_ns, point] = [0, 0];
    for (const row of rows) {
      const length_ns = this.#lengthOf(row);
      at_ns += length_ns;
      let hits = 0;
      for (; point < points && (point + 0.5) * distance_ns <= at_ns; point++) hits++;
      if (hits > 0) chosen.push({ piece: this.#piece(row), weight: (hits * distance_ns) / length_ns });
    }
    return chosen;
  }

  #piece(row: number): Piece {
    const start = Math.max(this.#ts[row] ?? 0, this.#block.start);
    return { row, start, end: start + this.#lengthOf(row) };
  }

  #lengthOf(row: number): number {
    const { start, end } = this.#block;
    return Math.min(this.#te[row] ?? 0, end) - Math.max(this.#ts[row] ?? 0, start);
  }
}

/** Runs are in the order of their ends. */
function runsIn({ runs }: History, { start, end }: Stretch): number {
  const te = runs.column('te');
  const upTo = (ts: number) => firstWhere(te.length, (at) => (te[at] ?? 0) > ts);
  return upTo(end) - upTo(start);
}

/** The lengths of waits that ended, by process class. */
class EndedLengths {
  readonly lengths = new Map<number, Lengths>();
  readonly #blocks: Blocks;
  readonly #things: Things;
  /** Those of the process of each thread, by its key. */
  readonly #ofThread: Lengths[] = [];

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
      const own = this.#of(utids[row] ?? 0);
      own.add(this.#blocks.at(until), until - (ts[row] ?? 0));
    }
  }

  #of(utid: number): Lengths {
    const known = this.#ofThread[utid];
    if (known !== undefined) return known;
    const process = this.#things.threads[this.#things.threadOf(utid)]?.process ?? 0;
    const own = this.lengths.get(process) ?? new Lengths(this.#blocks.count);
    this.lengths.set(process, own);
    this.#ofThread[utid] = own;
    return own;
  }
}
