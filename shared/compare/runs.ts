import {
  grown,
  numberAt,
  type Batch,
  type NumberValues,
  type Stretch,
  type Tables,
  type Values,
} from '../tables/index.ts';
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
const NOT_WAITED_FOR: ReadonlySet<string> = new Set(['WrQueue', 'WrLpcReceive', 'DelayExecution']);

/** Why threads are blocked whose waits a timeout ends as often as a device does, where no thread ends them. */
const TIMED: ReadonlySet<string> = new Set([
  'UserRequest',
  'WrUserRequest',
  'WrAlertByThreadId',
  'WrKeyedEvent',
  'Suspended',
]);

/** Sums CPU time by rank and priority, and blocked time by wait reason and waker, of waits that ended in the range. */
export async function sumRuns(tables: Tables, blocks: Blocks, things: Things, cells: Cells): Promise<void> {
  const { range } = blocks;
  const waits = new WaitCursor(tables, range);
  const sums = new FlatSums(blocks);
  const blocked = new BlockedSums(blocks, things, cells, sums);
  const cpu = new CpuCells(things, cells, sums);
  await waits.read();
  for await (const { rowCount, columns } of tables.batches('etw_run', RUN_COLUMNS, range)) {
    const [starts, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
    const priorities = columns.priority.values;
    const reasons = blocked.reasonsOf(columns.switch_out_state, columns.switch_out_wait_reason);
    for (let row = 0; row < rowCount; row++) {
      const [ts, te, utid] = [starts[row] ?? 0, ends[row] ?? 0, utids[row] ?? 0];
      // A ready wait ends when the next run begins: what its thread did before is known by now.
      while (waits.te <= te) {
        blocked.end(waits);
        if (!waits.next()) await waits.read();
      }
      if (utid === 0 || ts >= range.end || te <= range.start) continue;
      const cell = cpu.of(utid, numberAt(columns.rank, row), priorities[row] ?? 0);
      sums.addStretch(cell, ts, te);
      if (ts >= range.start) sums.countOne(cell, blocks.at(ts), te - ts);
      const counted_ns = Math.min(te, range.end) - Math.max(ts, range.start);
      sums.keepMost(cell, counted_ns, ts, te, utid);
      blocked.begin(utid, te, reasons(row));
    }
  }
  while (waits.te < Infinity) {
    blocked.end(waits);
    if (!waits.next()) await waits.read();
  }
  sums.finish(things);
}

/** The cells of CPU time, by thread, rank and priority. */
class CpuCells {
  readonly #things: Things;
  readonly #cells: Cells;
  readonly #sums: FlatSums;
  readonly #known = new Map<number, number>();
  /** The key and the cell of each thread's last run: most threads keep rank and priority. */
  #lastKey = new Float64Array(0);
  #lastCell = new Int32Array(0);

  constructor(things: Things, cells: Cells, sums: FlatSums) {
    [this.#things, this.#cells, this.#sums] = [things, cells, sums];
  }

  of(utid: number, rank: number | null, priority: number): number {
    const key = (utid * 512 + (rank ?? -1) + 1) * 64 + priority;
    if (this.#lastKey[utid] === key) return this.#lastCell[utid] ?? 0;
    let cell = this.#known.get(key);
    if (cell === undefined) {
      const thread = this.#things.threadOf(utid);
      cell = this.#sums.numberOf(this.#cells.of(thread, { measure: 'cpu', rank, priority }));
      this.#known.set(key, cell);
    }
    if (utid >= this.#lastKey.length) {
      const threads = roomFor(utid);
      this.#lastKey = grown(this.#lastKey, new Float64Array(threads).fill(NaN));
      this.#lastCell = grown(this.#lastCell, new Int32Array(threads));
    }
    this.#lastKey[utid] = key;
    this.#lastCell[utid] = cell;
    return cell;
  }
}

/** For how many threads there is to be room, where there was too little. */
function roomFor(utid: number): number {
  return Math.max(1 << 10, 2 * utid);
}

/** The ready waits of a range, one after the other in the order of their ends. Numbers that a wait has not are NaN. */
class WaitCursor {
  /** When the wait at hand ended; infinite after the last. */
  te = Infinity;
  readonly #batches: AsyncIterator<Batch<(typeof WAIT_COLUMNS)[number]>>;
  #columns: Batch<(typeof WAIT_COLUMNS)[number]>['columns'] | null = null;
  #ends: NumberValues = new Float64Array(0);
  #rowCount = 0;
  /** The number of the text `wake` among the causes of the batch. */
  #wake = -1;
  #row = 0;

  constructor(tables: Tables, range: Stretch) {
    this.#batches = tables.batches('etw_ready_wait', WAIT_COLUMNS, range)[Symbol.asyncIterator]();
  }

  /** Reads the next waits. */
  async read(): Promise<void> {
    const read = await this.#batches.next();
    this.#row = -1;
    if (read.done === true) {
      this.#columns = null;
      this.te = Infinity;
      return;
    }
    const { columns, rowCount } = read.value;
    [this.#columns, this.#rowCount, this.#ends] = [columns, rowCount, columns.te.values];
    this.#wake = columns.cause.texts?.indexOf('wake') ?? -1;
    if (!this.next()) await this.read();
  }

  /** Goes to the next wait; false where it must be read. */
  next(): boolean {
    const at = ++this.#row;
    if (at >= this.#rowCount) return false;
    this.te = this.#ends[at] ?? Infinity;
    return true;
  }

  get ts(): number {
    return valueAt(this.#columns?.ts, this.#row);
  }

  get utid(): number {
    return valueAt(this.#columns?.utid, this.#row);
  }

  get waker_utid(): number {
    return valueAt(this.#columns?.waker_utid, this.#row);
  }

  get last_switch_out_ts(): number {
    return valueAt(this.#columns?.last_switch_out_ts, this.#row);
  }

  /** Whether something woke the thread. */
  get isWake(): boolean {
    return valueAt(this.#columns?.cause, this.#row) === this.#wake;
  }
}

/** The number of a row; NaN where there is none. */
function valueAt(of: Values | undefined, row: number): number {
  if (of === undefined || of.present?.[row] === 0) return NaN;
  return of.values[row] ?? NaN;
}

/** Sums how long threads were blocked, from each switch-out to the wake that ended the wait. */
class BlockedSums {
  readonly #blocks: Blocks;
  readonly #things: Things;
  readonly #cells: Cells;
  readonly #sums: FlatSums;
  /** Why threads are blocked, by the numbers that stand for it here. */
  readonly #reasons: string[] = [];
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

  /** The number of the reason for which the thread of each run of a batch is blocked then; -1 where it is not. */
  reasonsOf(state: Values, reason: Values): (row: number) => number {
    const waiting = state.texts?.indexOf('Waiting') ?? -1;
    const numbers = reason.texts?.map((text) => this.#numberOf(text)) ?? [];
    return (row) => {
      const isBlocked = state.values[row] === waiting && state.present?.[row] !== 0;
      return isBlocked && reason.present?.[row] !== 0 ? (numbers[reason.values[row] ?? -1] ?? -1) : -1;
    };
  }

  /** A thread was switched out, and blocked if there is a reason. */
  begin(utid: number, ts: number, reason: number): void {
    if (utid >= this.#outTs.length) {
      const threads = roomFor(utid);
      this.#outTs = grown(this.#outTs, new Float64Array(threads).fill(NaN));
      this.#outReason = grown(this.#outReason, new Int32Array(threads).fill(-1));
    }
    this.#outTs[utid] = ts;
    this.#outReason[utid] = reason;
  }

  /** A ready wait ended. */
  end(wait: WaitCursor): void {
    const utid = wait.utid;
    const from = this.#outTs[utid] ?? NaN;
    if (from !== wait.last_switch_out_ts) return;
    // A second ready wait after the same switch-out ends no other block.
    this.#outTs[utid] = NaN;
    const reason = this.#outReason[utid] ?? -1;
    if (reason < 0 || this.#isWaitedFor[reason] !== true || !wait.isWake) return;
    const ts = wait.ts;
    if (ts >= this.#blocks.range.end) return;
    const waker = wait.waker_utid;
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
