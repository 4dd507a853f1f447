import { FOR_WORK, Flags } from '../causes/index.ts';
import { grown, type Batch, type NumberValues, type Stretch, type Tables } from '../tables/index.ts';
import type { Blocks } from './blocks.ts';
import type { Cells } from './cells.ts';
import { FlatSums } from './flat-sums.ts';
import type { Things } from './things.ts';

const WAIT_COLUMNS = ['ts', 'te', 'utid', 'cause', 'waker_utid', 'last_switch_out_ts'] as const;
const RUN_COLUMNS = [
  'ts',
  'te',
  'utid',
  'rank',
  'priority',
  'switch_out_state',
  'switch_out_wait_reason',
] as const;

/** Why threads are blocked that wait for work or for a time of their own: it says nothing of those who wait for them. */
const NOT_WAITED_FOR: ReadonlySet<string> = new Set([...FOR_WORK, 'DelayExecution']);

/** Why threads are blocked whose waits a timeout ends as often as a device does, where no thread ends them. */
const TIMED: ReadonlySet<string> = new Set([
  'UserRequest',
  'WrUserRequest',
  'WrAlertByThreadId',
  'WrKeyedEvent',
  'Suspended',
]);

type Runs = Batch<(typeof RUN_COLUMNS)[number]>;

/**
 * Sums CPU time by rank and priority, and blocked time by wait reason and waker, of waits that ended in the range. Gives the rows of
 * `etw_ready_wait` whose threads had blocked for work.
 */
export async function sumRuns(tables: Tables, blocks: Blocks, things: Things, cells: Cells): Promise<Flags> {
  const { range } = blocks;
  const waits = new WaitCursor(tables, range);
  const sums = new FlatSums(blocks);
  const blocked = new BlockedSums(blocks, things, cells, sums);
  const cpu = new CpuCells(things, cells, sums);
  await waits.read();
  for await (const runs of tables.batches('etw_run', RUN_COLUMNS, range)) {
    const { ts, te, utid } = runs.columns;
    sums.addRuns(cpu.of(runs, range), ts.values, te.values, utid.values);
    let row = blocked.goOn(runs, 0, waits);
    while (row < runs.rowCount) {
      await waits.read();
      row = blocked.goOn(runs, row, waits);
    }
  }
  while (!waits.isDone) {
    blocked.endAll(waits);
    await waits.read();
  }
  sums.finish(things);
  return blocked.forWork;
}

/** The cells of CPU time, by thread, rank and priority. */
class CpuCells {
  readonly #things: Things;
  readonly #cells: Cells;
  readonly #sums: FlatSums;
  readonly #known = new Map<number, number>();
  /** What rank and priority each thread had in its last run, and the cell of that: most threads keep both. */
  #last = new Int32Array(0);

  constructor(things: Things, cells: Cells, sums: FlatSums) {
    [this.#things, this.#cells, this.#sums] = [things, cells, sums];
  }

  /** The cell of each run of a batch; -1 for one that does not count. */
  of({ rowCount, columns }: Runs, { start, end }: Stretch): Int32Array {
    const [starts, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
    const { values: ranks, present } = columns.rank;
    const priorities = columns.priority.values;
    const cells = new Int32Array(rowCount).fill(-1);
    for (let row = 0; row < rowCount; row++) {
      const utid = utids[row] ?? 0;
      if (utid === 0 || (starts[row] ?? 0) >= end || (ends[row] ?? 0) <= start) continue;
      const hasRank = present === null || present[row] === 1;
      const kind = (hasRank ? (ranks[row] ?? 0) + 1 : 0) * PRIORITIES + (priorities[row] ?? 0) + 1;
      if (this.#last[2 * utid] !== kind) this.#find(utid, kind);
      cells[row] = this.#last[2 * utid + 1] ?? -1;
    }
    return cells;
  }

  #find(utid: number, kind: number): void {
    const key = utid * RANKS * PRIORITIES + kind;
    let cell = this.#known.get(key);
    if (cell === undefined) {
      const rank = Math.floor((kind - 1) / PRIORITIES) - 1;
      const priority = (kind - 1) % PRIORITIES;
      const thread = this.#things.threadOf(utid);
      const detail = { measure: 'cpu', rank: rank < 0 ? null : rank, priority } as const;
      cell = this.#sums.numberOf(this.#cells.of(thread, detail));
      this.#known.set(key, cell);
    }
    if (2 * utid >= this.#last.length) this.#last = grown(this.#last, new Int32Array(2 * roomFor(utid)));
    this.#last[2 * utid] = kind;
    this.#last[2 * utid + 1] = cell;
  }
}

/** More than there are ranks and priorities. */
const [RANKS, PRIORITIES] = [512, 64];

/** For how many threads there is to be room, where there was too little. */
function roomFor(utid: number): number {
  return Math.max(1 << 10, 2 * utid);
}

type Waits = Batch<(typeof WAIT_COLUMNS)[number]>;

const NO_WAITS: NumberValues = new Float64Array(0);

/** The ready waits of a range, one after the other in the order of their ends. */
class WaitCursor {
  /** The waits that were read last. */
  waits: Waits | null = null;
  /** The wait at hand; not less than `rowCount` where more must be read. */
  row = 0;
  rowCount = 0;
  /** When each wait of what was read ended. */
  ends = NO_WAITS;
  /** The number of the text `wake` among the causes of what was read. */
  wake = -1;
  /** After the last wait. */
  isDone = false;
  readonly #batches: AsyncIterator<Waits>;

  constructor(tables: Tables, range: Stretch) {
    this.#batches = tables.batches('etw_ready_wait', WAIT_COLUMNS, range)[Symbol.asyncIterator]();
  }

  /** Reads the next waits. */
  async read(): Promise<void> {
    const read = await this.#batches.next();
    this.isDone = read.done === true;
    this.waits = read.done === true ? null : read.value;
    [this.row, this.rowCount] = [0, this.waits?.rowCount ?? 0];
    this.ends = this.waits?.columns.te.values ?? NO_WAITS;
    this.wake = this.waits?.columns.cause.texts?.indexOf('wake') ?? -1;
  }
}

/** Sums how long threads were blocked, from each switch-out to the wake that ended the wait. */
class BlockedSums {
  /** The rows of ready waits whose threads had blocked for work. */
  readonly forWork = new Flags();
  readonly #blocks: Blocks;
  readonly #things: Things;
  readonly #cells: Cells;
  readonly #sums: FlatSums;
  /** Why threads are blocked, by the numbers that stand for it here. */
  readonly #reasons: string[] = [];
  readonly #isForWork: boolean[] = [];
  readonly #isWaitedFor: boolean[] = [];
  readonly #isTimed: boolean[] = [];
  readonly #numbers = new Map<string, number>();
  /** By thread the switch-out for which no ready wait has been seen yet, and its reason. */
  #outTs = new Float64Array(0);
  #outReason = new Int32Array(0);
  /** Cells by reason, class of threads and process of the waker, 0 for none. */
  readonly #known: number[][][] = [];

  constructor(blocks: Blocks, things: Things, cells: Cells, sums: FlatSums) {
    [this.#blocks, this.#things, this.#cells, this.#sums] = [blocks, things, cells, sums];
  }

  /**
   * Goes on through the runs of a batch from a row on, and through the waits that end meanwhile. Gives the row at which waits must be read
   * first, or how many rows there are.
   */
  goOn({ rowCount, columns }: Runs, first: number, waits: WaitCursor): number {
    const { range } = this.#blocks;
    const [starts, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
    const { switch_out_state: state, switch_out_wait_reason: reason } = columns;
    const waiting = state.texts?.indexOf('Waiting') ?? -1;
    const numbers = Int32Array.from(reason.texts ?? [], (text) => this.#numberOf(text));
    for (let row = first; row < rowCount; row++) {
      const te = ends[row] ?? 0;
      const utid = utids[row] ?? 0;
      // A ready wait ends when the next run begins: what its thread did before is known by now.
      while (!waits.isDone) {
        if (waits.row >= waits.rowCount) return row;
        if ((waits.ends[waits.row] ?? 0) > te) break;
        this.#end(waits);
        waits.row++;
      }
      if (utid === 0 || (starts[row] ?? 0) >= range.end || te <= range.start) continue;
      if (utid >= this.#outTs.length) this.#growTo(utid);
      const isBlocked = state.values[row] === waiting && state.present?.[row] !== 0;
      this.#outTs[utid] = te;
      this.#outReason[utid] =
        isBlocked && reason.present?.[row] !== 0 ? (numbers[reason.values[row] ?? -1] ?? -1) : -1;
    }
    return rowCount;
  }

  /** All waits that were read ended. */
  endAll(waits: WaitCursor): void {
    for (; waits.row < waits.rowCount; waits.row++) this.#end(waits);
  }

  #growTo(utid: number): void {
    const threads = roomFor(utid);
    this.#outTs = grown(this.#outTs, new Float64Array(threads).fill(NaN));
    this.#outReason = grown(this.#outReason, new Int32Array(threads).fill(-1));
  }

  /** The wait at hand ended. */
  #end({ waits, row, wake }: WaitCursor): void {
    if (waits === null) return;
    const { ts: starts, utid: utids, cause, waker_utid: wakers, last_switch_out_ts: outs } = waits.columns;
    const ts = starts.values[row] ?? 0;
    const utid = utids.values[row] ?? 0;
    const from = this.#outTs[utid] ?? NaN;
    const reason = this.#outReason[utid] ?? -1;
    // A thread may become ready before its run ends: what it then blocks for comes later.
    if (reason >= 0 && this.#isForWork[reason] === true && !(from > ts))
      this.forWork.add(waits.firstRow + row);
    if (outs.present?.[row] === 0 || from !== outs.values[row]) return;
    // A second ready wait after the same switch-out ends no other block.
    this.#outTs[utid] = NaN;
    if (reason < 0 || this.#isWaitedFor[reason] !== true || cause.values[row] !== wake) return;
    if (ts >= this.#blocks.range.end) return;
    const waker = wakers.present?.[row] === 0 ? 0 : (wakers.values[row] ?? 0);
    const waker_utid = waker > 0 ? waker : null;
    if (waker_utid === null && this.#isTimed[reason] === true) return;
    const cell = this.#cellOf(utid, reason, waker_utid);
    const block = this.#blocks.at(ts);
    const blocked_ns = ts - from;
    this.#sums.addNs(cell, block, blocked_ns);
    this.#sums.countOne(cell, block, blocked_ns);
    this.#sums.keepMost(cell, blocked_ns, from, ts, utid);
  }

  #numberOf(reason: string): number {
    const known = this.#numbers.get(reason);
    if (known !== undefined) return known;
    const number = this.#reasons.push(reason) - 1;
    this.#isForWork.push(FOR_WORK.has(reason));
    this.#isWaitedFor.push(!NOT_WAITED_FOR.has(reason));
    this.#isTimed.push(TIMED.has(reason));
    this.#numbers.set(reason, number);
    return number;
  }

  #cellOf(utid: number, number: number, waker_utid: number | null): number {
    const thread = this.#things.threadOf(utid);
    const waker =
      waker_utid === null ? null : (this.#things.threads[this.#things.threadOf(waker_utid)]?.process ?? null);
    const ofReason = (this.#known[number] ??= []);
    const ofThread = (ofReason[thread] ??= []);
    return (ofThread[waker === null ? 0 : waker + 1] ??= this.#sums.numberOf(
      this.#cells.of(thread, { measure: 'blocked', reason: this.#reasons[number] ?? '', waker }),
    ));
  }
}
