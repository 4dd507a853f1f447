import { lastAtMost, type ColumnReader, type ColumnTable } from '../column-table.ts';
import { BLOCK_ROWS, bitsOf, columnNumber, RowBlocks, timeAt, timeOf, type RowBlock } from './row-blocks.ts';
import { RowsBefore } from './rows-before.ts';

/** The tables of columns that context switches are joined of, in the order of the ends of what lasts. */
export interface SwitchTables {
  /** `etw_run`. */
  readonly runs: ColumnTable;
  /** `etw_run_before`, whose names have the numbers that they have in `etw_run`. */
  readonly runsBefore: ColumnTable;
  /** `etw_ready_wait`. */
  readonly waits: ColumnTable;
}

/** Blocks that are kept: most threads ran last not long ago. */
const [RUN_BLOCKS, WAIT_BLOCKS] = [1024, 256];

/** How a run ended: the columns of {@link SwitchTables.runsBefore} but for its time. */
const ENDS = [
  'utid',
  'switch_out_priority',
  'rank',
  'switch_out_state',
  'switch_out_wait_reason',
  'switch_out_wait_mode',
] as const;
/** The columns of blocks. */
export const RUN = [...ENDS, 'cpu', 'ts', 'te', 'ended'] as const;
export const WAIT = [
  'waker_utid',
  'cause',
  'flags',
  'ts',
  'te',
  'utid',
  'ended',
  'last_switch_out_ts',
] as const;
const [RUN_UTID, RUN_STATE, RUN_TS, RUN_TE, RUN_ENDED] = [0, 3, 7, 8, 9] as const;
const [WAIT_TS, WAIT_TE, WAIT_UTID, WAIT_ENDED, WAIT_LAST] = [3, 4, 5, 6, 7] as const;

/** What is known of a thread that stopped running where a C-state was recorded: it is the idle thread. */
const IDLE: RowBlock = ENDS.map((_, column) => ({
  present: Uint8Array.of(column === RUN_UTID ? 1 : 0),
  words: Uint32Array.of(0),
}));

/** For each row of a stretch a row of another table: its block, null where there is none, and its place there. */
export interface RowsElsewhere {
  readonly blocks: (RowBlock | null)[];
  readonly places: Uint16Array;
}

/** What belongs to the runs of a stretch; of times NaN where one was not recorded. */
export interface JoinedSwitches {
  /** The CPU's run that ends with the switch; columns of {@link RUN}. */
  readonly old: RowsElsewhere;
  /** The new thread's ready wait that ends with it; columns of {@link WAIT}. */
  readonly wait: RowsElsewhere;
  /** The new thread's run before, whose end it was switched out last with; columns of {@link RUN}. */
  readonly last: RowsElsewhere;
  /** When the new thread became ready, and when it was switched out last. */
  readonly ready_ts: Float64Array;
  readonly last_switch_out_ts: Float64Array;
  /** How long ago each was. */
  readonly ready_ns: Float64Array;
  readonly since_last_ns: Float64Array;
}

/** A run whose end is in a block. */
interface Ended {
  readonly te: number;
  readonly block: RowBlock;
  readonly place: number;
}

/**
 * Joins each run with the run of its CPU that ends where it begins, the ready wait that ends there, and its thread's run before. The rows
 * are looked up where they are asked for. What is kept is bounded, but for what {@link RowsBefore} keeps of CPUs and threads.
 */
export class SwitchJoin {
  readonly #runs: RowBlocks;
  readonly #waits: RowBlocks;
  readonly #ofCpu: RowsBefore;
  readonly #ofThread: RowsBefore;
  readonly #ts: ColumnReader;
  readonly #utids: ColumnReader;
  readonly #cStates: ColumnReader;
  /** Runs that were under way before their CPU's first switch, by the end and by the thread. */
  readonly #endAt = new Map<number, Ended>();
  readonly #endOf = new Map<number, Ended>();
  /** Whether a thread that went into the state of this number in the dictionary was blocked. */
  readonly #isBlockedIn: readonly boolean[];
  #last: { batch: number; from: number; to: number; joined: JoinedSwitches } | null = null;

  constructor({ runs, runsBefore, waits }: SwitchTables) {
    this.#runs = new RowBlocks(runs, RUN, RUN_BLOCKS);
    this.#waits = new RowBlocks(waits, WAIT, WAIT_BLOCKS);
    [this.#ofCpu, this.#ofThread] = [new RowsBefore(runs, 'cpu'), new RowsBefore(runs, 'utid')];
    const open = (name: string) => runs.openColumn(columnNumber(runs, name));
    [this.#ts, this.#utids, this.#cStates] = [open('ts'), open('utid'), open('previous_c_state')];
    this.#isBlockedIn = textsOf(runs, 'switch_out_state').map(
      (state) => state === 'Waiting' || state === 'Initialized',
    );
    const before = new RowBlocks(runsBefore, [...ENDS, 'ts'], Infinity);
    for (let row = 0; row < before.rowCount; row++) {
      const [block, place] = [before.of(row), row % BLOCK_ROWS];
      const end = { te: timeOf(block, ENDS.length, place), block, place };
      this.#endAt.set(end.te, end);
      this.#endOf.set(block[RUN_UTID]?.words[place] ?? 0, end);
    }
  }

  /** What belongs to the runs `from` to `to` (exclusive) of a batch. */
  of(batch: number, from: number, to: number): JoinedSwitches {
    const last = this.#last;
    if (last?.batch === batch && last.from === from && last.to === to) return last.joined;
    const joined = this.#join(batch, from, to);
    this.#last = { batch, from, to, joined };
    return joined;
  }

  #join(batch: number, from: number, to: number): JoinedSwitches {
    const [ofCpu, ofThread] = [this.#ofCpu.of(batch), this.#ofThread.of(batch)];
    const count = to - from;
    const joined: JoinedSwitches = {
      old: rowsElsewhere(count),
      wait: rowsElsewhere(count),
      last: rowsElsewhere(count),
      ready_ts: new Float64Array(count).fill(NaN),
      last_switch_out_ts: new Float64Array(count).fill(NaN),
      ready_ns: new Float64Array(count),
      since_last_ns: new Float64Array(count),
    };
    const began = bitsOf(this.#ts.load(batch, from, to));
    const utids = bitsOf(this.#utids.load(batch, from, to));
    const { present: wasIdle } = this.#cStates.load(batch, from, to);
    for (let at = 0; at < count; at++) {
      const [ts, utid] = [timeAt(began, at), utids[at] ?? 0];
      this.#joinOld(joined, at, ts, (ofCpu[from + at] ?? 0) - 1, wasIdle?.[at] !== 0);
      // The idle thread neither waits nor is switched out to wait.
      if (utid !== 0) this.#joinLast(joined, at, ts, (ofThread[from + at] ?? 0) - 1, utid);
      joined.ready_ns[at] = ts - (joined.ready_ts[at] ?? NaN);
      joined.since_last_ns[at] = ts - (joined.last_switch_out_ts[at] ?? NaN);
    }
    return joined;
  }

  /** Joins the run that the switch ends; `before` is the row of the CPU's run before. */
  #joinOld({ old }: JoinedSwitches, at: number, ts: number, before: number, wasIdle: boolean): void {
    if (before >= 0) {
      const [block, place] = [this.#runs.of(before), before % BLOCK_ROWS];
      if (timeOf(block, RUN_TE, place) === ts && timeOf(block, RUN_TS, place) < ts) {
        put(old, at, block, place);
        return;
      }
    }
    const end = this.#endAt.get(ts);
    if (end !== undefined) put(old, at, end.block, end.place);
    else if (wasIdle) put(old, at, IDLE, 0);
  }

  /** Joins the ready wait that the switch ends, and the thread's run before it, if one was recorded; `before` is that run's row. */
  #joinLast(joined: JoinedSwitches, at: number, ts: number, before: number, utid: number): void {
    const wait = this.#waitEndingAt(ts, utid);
    if (wait >= 0) {
      const [block, place] = [this.#waits.of(wait), wait % BLOCK_ROWS];
      put(joined.wait, at, block, place);
      joined.ready_ts[at] = timeOf(block, WAIT_TS, place);
      joined.last_switch_out_ts[at] = timeOf(block, WAIT_LAST, place);
    }
    if (before < 0) {
      const end = this.#endOf.get(utid);
      if (wait < 0 && end !== undefined && end.te < ts && this.#isBlocked(end.block, end.place))
        joined.last_switch_out_ts[at] = end.te;
      return;
    }
    const [block, place] = [this.#runs.of(before), before % BLOCK_ROWS];
    const te = timeOf(block, RUN_TE, place);
    // Without a ready event the thread was blocked up to the switch.
    if (wait < 0 && block[RUN_ENDED]?.words[place] === 1 && this.#isBlocked(block, place))
      joined.last_switch_out_ts[at] = te;
    if (joined.last_switch_out_ts[at] === te) put(joined.last, at, block, place);
  }

  /** The row of the thread's wait that a switch ended at a time; -1 for none. */
  #waitEndingAt(ts: number, utid: number): number {
    const teOf = (row: number) => this.#waits.timeAt(row, WAIT_TE);
    let row = lastAtMost(this.#waits.rowCount, teOf, ts);
    for (; row >= 0 && row < this.#waits.rowCount && teOf(row) === ts; row--) {
      const [block, place] = [this.#waits.of(row), row % BLOCK_ROWS];
      if (block[WAIT_UTID]?.words[place] === utid && block[WAIT_ENDED]?.words[place] === 1) return row;
    }
    return -1;
  }

  /** Whether a run ended in a wait. A compact context switch does not tell the state: it may be one. */
  #isBlocked(block: RowBlock, place: number): boolean {
    const state = block[RUN_STATE];
    return state?.present[place] === 0 || this.#isBlockedIn[state?.words[place] ?? 0] === true;
  }
}

function rowsElsewhere(count: number): RowsElsewhere {
  return { blocks: new Array<RowBlock | null>(count).fill(null), places: new Uint16Array(count) };
}

function put({ blocks, places }: RowsElsewhere, at: number, block: RowBlock, place: number): void {
  blocks[at] = block;
  places[at] = place;
}

/** The texts of a column with a dictionary, by number; none of another column. */
function textsOf(table: ColumnTable, name: string): readonly string[] {
  const dictionary = table.columns[columnNumber(table, name)]?.dictionary;
  if (dictionary == null) return [];
  const { size, bytes, start, length } = dictionary;
  const decoder = new TextDecoder();
  return Array.from({ length: size }, (_, entry) =>
    decoder.decode(bytes.subarray(start[entry] ?? 0, (start[entry] ?? 0) + (length[entry] ?? 0))),
  );
}
