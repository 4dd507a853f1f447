import { numberAt, textAt, type Batch, type Stretch, type Tables } from '../tables/index.ts';
import type { Blocks } from './blocks.ts';
import { keepMost, type Cell, type Cells } from './cells.ts';
import { countLength } from './lengths.ts';
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
  const blocked = new BlockedSums(blocks, things, cells);
  const cpuCells = new Map<number, Cell>();
  await waits.read();
  for await (const { rowCount, columns } of tables.batches('etw_run', RUN_COLUMNS, range)) {
    const [starts, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
    for (let row = 0; row < rowCount; row++) {
      const [ts, te, utid] = [starts[row] ?? 0, ends[row] ?? 0, utids[row] ?? 0];
      // A ready wait ends when the next run begins: what its thread did before is known by now.
      while (waits.te <= te) {
        blocked.end(waits);
        if (!waits.next()) await waits.read();
      }
      if (utid === 0 || ts >= range.end || te <= range.start) continue;
      const rank = numberAt(columns.rank, row);
      const priority = columns.priority.values[row] ?? 0;
      const key = (utid * 512 + (rank ?? -1) + 1) * 64 + priority;
      let cell = cpuCells.get(key);
      if (cell === undefined) {
        cell = cells.of(things.threadOf(utid), { measure: 'cpu', rank, priority });
        cpuCells.set(key, cell);
      }
      blocks.add(cell.ns, ts, te);
      if (ts >= range.start) {
        const block = blocks.at(ts);
        cell.count[block] = (cell.count[block] ?? 0) + 1;
        countLength(cell.lengths, te - ts);
      }
      const counted_ns = Math.min(te, range.end) - Math.max(ts, range.start);
      keepMost(cell, counted_ns, () => ({ ts, te, tid: things.tidOf(utid) }));
      const isBlocked = textAt(columns.switch_out_state, row) === 'Waiting';
      blocked.begin(utid, te, isBlocked ? textAt(columns.switch_out_wait_reason, row) : null);
    }
  }
  while (waits.te < Infinity) {
    blocked.end(waits);
    if (!waits.next()) await waits.read();
  }
}

/** The ready waits of a range, one after the other in the order of their ends. */
class WaitCursor {
  /** When the wait at hand ended; infinite after the last. */
  te = Infinity;
  readonly #batches: AsyncIterator<Batch<(typeof WAIT_COLUMNS)[number]>>;
  #batch: Batch<(typeof WAIT_COLUMNS)[number]> | null = null;
  #row = 0;

  constructor(tables: Tables, range: Stretch) {
    this.#batches = tables.batches('etw_ready_wait', WAIT_COLUMNS, range)[Symbol.asyncIterator]();
  }

  /** Reads the next waits. */
  async read(): Promise<void> {
    const read = await this.#batches.next();
    this.#batch = read.done === true ? null : read.value;
    this.#row = -1;
    if (this.#batch === null) this.te = Infinity;
    else if (!this.next()) await this.read();
  }

  /** Goes to the next wait; false where it must be read. */
  next(): boolean {
    const at = ++this.#row;
    const te = this.#batch?.columns.te.values[at];
    if (te === undefined) return false;
    this.te = te;
    return true;
  }

  /** A number of the wait; NaN where it has none. */
  number(name: (typeof WAIT_COLUMNS)[number]): number {
    return (this.#batch && numberAt(this.#batch.columns[name], this.#row)) ?? NaN;
  }

  /** A text of the wait; null where it has none. */
  text(name: (typeof WAIT_COLUMNS)[number]): string | null {
    return this.#batch && textAt(this.#batch.columns[name], this.#row);
  }
}

/** Sums how long threads were blocked, from each switch-out to the wake that ended the wait. */
class BlockedSums {
  readonly #blocks: Blocks;
  readonly #things: Things;
  readonly #cells: Cells;
  /** The switch-out of each thread for which no ready wait has been seen yet. */
  readonly #outs = new Map<number, { ts: number; reason: string | null }>();
  readonly #known = new Map<string, Map<number, Cell>>();

  constructor(blocks: Blocks, things: Things, cells: Cells) {
    [this.#blocks, this.#things, this.#cells] = [blocks, things, cells];
  }

  /** A thread was switched out, and blocked if there is a reason. */
  begin(utid: number, ts: number, reason: string | null): void {
    const out = this.#outs.get(utid);
    if (out === undefined) this.#outs.set(utid, { ts, reason });
    else [out.ts, out.reason] = [ts, reason];
  }

  /** A ready wait ended. */
  end(wait: WaitCursor): void {
    const utid = wait.number('utid');
    const out = this.#outs.get(utid);
    if (out?.ts !== wait.number('last_switch_out_ts')) return;
    const { ts: from, reason } = out;
    // A second ready wait after the same switch-out ends no other block.
    out.ts = NaN;
    const ts = wait.number('ts');
    if (
      reason === null ||
      NOT_WAITED_FOR.has(reason) ||
      wait.text('cause') !== 'wake' ||
      ts >= this.#blocks.range.end
    )
      return;
    const waker = wait.number('waker_utid');
    const waker_utid = waker > 0 ? waker : null;
    if (waker_utid === null && TIMED.has(reason)) return;
    const cell = this.#cellOf(utid, reason, waker_utid);
    const block = this.#blocks.at(ts);
    const blocked_ns = ts - from;
    cell.ns[block] = (cell.ns[block] ?? 0) + blocked_ns;
    cell.count[block] = (cell.count[block] ?? 0) + 1;
    countLength(cell.lengths, blocked_ns);
    keepMost(cell, blocked_ns, () => ({ ts: from, te: ts, tid: this.#things.tidOf(utid) }));
  }

  #cellOf(utid: number, reason: string, waker_utid: number | null): Cell {
    const known = this.#known.get(reason) ?? new Map<number, Cell>();
    this.#known.set(reason, known);
    const key = utid * 2 ** 24 + (waker_utid ?? 0);
    const of = (thread: number) => this.#things.threadOf(thread);
    const waker = () =>
      waker_utid === null ? null : (this.#things.threads[of(waker_utid)]?.process ?? null);
    const cell = known.get(key) ?? this.#cells.of(of(utid), { measure: 'blocked', reason, waker: waker() });
    known.set(key, cell);
    return cell;
  }
}
