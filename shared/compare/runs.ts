import { readRows, type Rows } from '../causes/index.ts';
import { numberAt, textAt, type Tables } from '../tables/index.ts';
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
  const waits = await readRows(tables, 'etw_ready_wait', WAIT_COLUMNS, range);
  const wakes = new Wakes(waits);
  const cpuCells = new Map<number, Cell>();
  const blockedCells = new Map<string, Map<number, Cell>>();
  const blockedCell = (utid: number, reason: string, waker_utid: number | null): Cell => {
    const ofReason = blockedCells.get(reason) ?? new Map<number, Cell>();
    blockedCells.set(reason, ofReason);
    const key = utid * 2 ** 24 + (waker_utid ?? 0);
    const known = ofReason.get(key);
    if (known !== undefined) return known;
    const waker = waker_utid === null ? null : (things.threads[things.threadOf(waker_utid)]?.process ?? null);
    const cell = cells.of(things.threadOf(utid), { measure: 'blocked', reason, waker });
    ofReason.set(key, cell);
    return cell;
  };
  for await (const { rowCount, columns } of tables.batches('etw_run', RUN_COLUMNS, range)) {
    const [starts, ends, utids] = [columns.ts.values, columns.te.values, columns.utid.values];
    for (let row = 0; row < rowCount; row++) {
      const [ts, te, utid] = [starts[row] ?? 0, ends[row] ?? 0, utids[row] ?? 0];
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
      if (textAt(columns.switch_out_state, row) !== 'Waiting') continue;
      const wake = wakes.after(utid, te);
      const reason = textAt(columns.switch_out_wait_reason, row);
      if (wake === null || reason === null || NOT_WAITED_FOR.has(reason) || wake.ts >= range.end) continue;
      if (wake.waker_utid === null && TIMED.has(reason)) continue;
      const blocked = blockedCell(utid, reason, wake.waker_utid);
      const block = blocks.at(wake.ts);
      blocked.ns[block] = (blocked.ns[block] ?? 0) + wake.ts - te;
      blocked.count[block] = (blocked.count[block] ?? 0) + 1;
      const waited_ns = wake.ts - te;
      countLength(blocked.lengths, waited_ns);
      keepMost(blocked, waited_ns, () => ({ ts: te, te: wake.ts, tid: things.tidOf(utid) }));
    }
  }
}

/** Which wake ended the wait that began with a switch-out; asked of each thread in the order of time. */
class Wakes {
  readonly #outs: Float64Array;
  readonly #starts: Float64Array;
  readonly #wakers: Float64Array;
  readonly #causes: Float64Array;
  readonly #wake: number;
  readonly #of: (utid: number) => Uint32Array;
  readonly #next = new Map<number, number>();

  constructor(waits: Rows<(typeof WAIT_COLUMNS)[number]>) {
    this.#outs = waits.column('last_switch_out_ts');
    this.#starts = waits.column('ts');
    this.#wakers = waits.column('waker_utid');
    this.#causes = waits.column('cause');
    this.#wake = waits.numberOf('cause', 'wake');
    this.#of = waits.by('utid');
  }

  after(utid: number, te: number): { readonly ts: number; readonly waker_utid: number | null } | null {
    const [own, outs] = [this.#of(utid), this.#outs];
    let at = this.#next.get(utid) ?? 0;
    while (at < own.length && !((outs[own[at] ?? 0] ?? NaN) >= te)) at++;
    this.#next.set(utid, at);
    const wait = own[at];
    if (wait === undefined || outs[wait] !== te || this.#causes[wait] !== this.#wake) return null;
    const waker = this.#wakers[wait] ?? NaN;
    return { ts: this.#starts[wait] ?? 0, waker_utid: waker > 0 ? waker : null };
  }
}
