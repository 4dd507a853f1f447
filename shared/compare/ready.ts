import { AROUND_NS, loadHistory, splitReady, waitAt, type History, type JudgedBy } from '../causes/index.ts';
import type { Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { loadCpuRecord, loadJudgedRanks, loadMachine, type Wait } from '../why-late/columns/index.ts';
import type { Why } from '../why-late/index.ts';
import type { Blocks } from './blocks.ts';
import { keepMost, type Cells } from './cells.ts';
import { Lengths } from './lengths.ts';
import type { Things } from './things.ts';

/** So many pieces of waits are divided of a whole trace, about; of more than these a sample stands for the others. */
const PIECES = 100_000;
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
 * `runCount` says how many runs the range has, about.
 */
export async function sumReady(
  query: Query,
  blocks: Blocks,
  things: Things,
  cells: Cells,
  runCount: number,
): Promise<ReadySums> {
  const { outline, tables, hasColumns } = dataOf(query);
  const machine = await loadMachine(outline);
  const { losses, first_run_ts } = await loadCpuRecord(tables, machine);
  const judged = await loadJudgedRanks(query);
  const lengths = new Map<number, Lengths>();
  const limit = Math.max(500, PIECES / blocks.count);
  // By SQL each stretch costs a query of the whole.
  const chunks = hasColumns ? Math.max(1, Math.ceil(runCount / RUNS_HELD)) : 1;
  const step = Math.ceil(blocks.count / chunks);
  let areAllDivided = true;
  for (let first = 0; first < blocks.count; first += step) {
    const last = Math.min(blocks.count, first + step) - 1;
    const [start, end] = [blocks.stretch(first).start, blocks.stretch(last).end];
    const history = await loadHistory(tables, { start: start - AROUND_NS, end: end + AROUND_NS });
    const by: JudgedBy = { history, machine, losses, first_run_ts };
    addLengths(history, { start, end }, blocks, things, lengths);
    for (let block = first; block <= last; block++) {
      const stretch = blocks.stretch(block);
      const runsPerNs = runsIn(history, stretch) / (stretch.end - stretch.start);
      const byThread = piecesOf(history, stretch, things);
      let [count, all_ns] = [0, 0];
      for (const pieces of byThread.values())
        for (const piece of pieces) [count, all_ns] = [count + 1, all_ns + piece.end - piece.start];
      if (count > limit) areAllDivided = false;
      for (const [thread, pieces] of byThread) {
        for (const { piece, weight } of count > limit ? sampled(pieces, limit / all_ns) : pieces.map(whole)) {
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
  return { lengths, areAllDivided };
}

function placeOf({ waits }: History, row: number, things: Things) {
  const of = (name: 'ts' | 'te' | 'utid') => waits.column(name)[row] ?? 0;
  return { ts: of('ts'), te: of('te'), tid: things.tidOf(of('utid')) };
}

const whole = (piece: Piece) => ({ piece, weight: 1 });

/** Pieces that stand for all: points at equal distances along the pieces, laid end to end, choose them. */
function sampled(
  pieces: readonly Piece[],
  pointsPerNs: number,
): readonly { readonly piece: Piece; readonly weight: number }[] {
  const total_ns = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  const points = Math.max(1, Math.ceil(total_ns * pointsPerNs));
  const distance_ns = total_ns / points;
  const chosen = [];
  let [at_ns, point] = [0, 0];
  for (const piece of pieces) {
    const length_ns = piece.end - piece.start;
    at_ns += length_ns;
    let hits = 0;
    for (; point < points && (point + 0.5) * distance_ns <= at_ns; point++) hits++;
    if (hits > 0) chosen.push({ piece, weight: (hits * distance_ns) / length_ns });
  }
  return chosen;
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

/** The pieces of waits that lie in a block, by thread class. */
function piecesOf({ waits }: History, { start, end }: Stretch, things: Things): Map<number, Piece[]> {
  const [ts, te, utids] = [waits.column('ts'), waits.column('te'), waits.column('utid')];
  const pieces = new Map<number, Piece[]>();
  for (let row = 0; row < waits.count; row++) {
    const piece = { row, start: Math.max(ts[row] ?? 0, start), end: Math.min(te[row] ?? 0, end) };
    if (piece.start >= piece.end) continue;
    const thread = things.threadOf(utids[row] ?? 0);
    const own = pieces.get(thread);
    if (own === undefined) pieces.set(thread, [piece]);
    else own.push(piece);
  }
  return pieces;
}

function runsIn({ runs }: History, { start, end }: Stretch): number {
  let count = 0;
  for (const te of runs.column('te')) if (te > start && te <= end) count++;
  return count;
}

function addLengths(
  { waits }: History,
  { start, end }: Stretch,
  blocks: Blocks,
  things: Things,
  lengths: Map<number, Lengths>,
): void {
  const [ts, te, ended] = [waits.column('ts'), waits.column('te'), waits.column('ended')];
  const utids = waits.column('utid');
  for (let row = 0; row < waits.count; row++) {
    const until = te[row] ?? 0;
    if (ended[row] !== 1 || until < start || until >= end) continue;
    const process = things.threads[things.threadOf(utids[row] ?? 0)]?.process ?? 0;
    const own = lengths.get(process) ?? new Lengths(blocks.count);
    lengths.set(process, own);
    own.add(blocks.at(until), until - (ts[row] ?? 0));
  }
}
