import { grown, inOneOrder, type Batch, type Tables } from '../tables/index.ts';

/** A stretch of time in which a thread was blocked, in ns. */
export interface Block {
  readonly utid: number;
  /** The switch-out that began it. */
  readonly ts: number;
  /** When the thread was woken; without a ready event when it was switched in; else when the recording ends. */
  readonly te: number;
  /** The switch-in after it; NaN where that was not recorded. */
  readonly in_ts: number;
  /** The thread that ended it, or what stands in for it in {@link WAKERS}. */
  readonly waker: number;
  /** An index into the wait reasons. */
  readonly reason: number;
}

/**
 * What is called with a block, which is good until the next call, and with why threads had blocked (`KWAIT_REASON`), as far as it is known by
 * then; null where that was not recorded.
 */
export type TellBlock = (block: Block, reasons: readonly (string | null)[]) => void;

/** What stands in for a thread that ended a block, by numbers that no thread has, and what it is called. */
export const BY_INTERRUPT = -1;
export const NO_READY_EVENT = -2;
export const NOT_ENDED = -3;
export const WAKERS: Readonly<Record<number, string>> = {
  [BY_INTERRUPT]: 'a DPC or an interrupt',
  [NO_READY_EVENT]: 'not recorded',
  [NOT_ENDED]: 'none: the recording ends',
};

const RUN_COLUMNS = ['utid', 'switch_out_state', 'switch_out_wait_reason'] as const;
const WAIT_COLUMNS = ['utid', 'cause', 'waker_utid', 'last_switch_out_ts'] as const;
type RunBatch = Batch<'ts' | 'te' | (typeof RUN_COLUMNS)[number]>;
type WaitBatch = Batch<'ts' | 'te' | (typeof WAIT_COLUMNS)[number]>;

/**
 * Passes on all blocks of a recording, by the ends of the runs after them. Blocks of one thread come in the order of time. A block
 * whose beginning was not recorded is left out. Only what each thread did last is held.
 */
export async function eachBlock(tables: Tables, tell: TellBlock): Promise<void> {
  const blocks = new Blocks(tell);
  await inOneOrder(
    tables,
    {
      table: 'etw_ready_wait',
      columns: WAIT_COLUMNS,
      onRow: (batch, row) => {
        blocks.wait(batch, row);
      },
    },
    {
      table: 'etw_run',
      columns: RUN_COLUMNS,
      onRow: (batch, row) => {
        blocks.run(batch, row);
      },
    },
  );
  blocks.finish();
}

/** No wait. */
const NONE = -1;

/** How the last run of a thread ended: it is not known, the thread was blocked then, or it was not. */
const [UNKNOWN, WAITING, OTHER] = [0, 1, 2];

class Blocks {
  readonly #tell: TellBlock;
  readonly #waits = new EndedWaits();
  readonly #block = { utid: 0, ts: NaN, te: NaN, in_ts: NaN, waker: 0, reason: 0 };
  readonly #reasons: (string | null)[] = [null];
  /** By the number of a text of the batch at hand: the number of the reason. */
  #texts: readonly string[] | null = null;
  #numbers: Uint8Array = new Uint8Array(0);
  /** The last run of each thread: 1 where there is one, its end, how it ended, and the reason. */
  #hasRun = new Uint8Array(1 << 10);
  #te = new Float64Array(1 << 10);
  #state = new Uint8Array(1 << 10);
  #reason = new Uint8Array(1 << 10);
  #end_ts = 0;

  constructor(tell: TellBlock) {
    this.#tell = tell;
  }

  wait({ columns }: WaitBatch, row: number): void {
    const { present, values } = columns.last_switch_out_ts;
    const waker = columns.waker_utid.present?.[row] === 0 ? 0 : (columns.waker_utid.values[row] ?? 0);
    const { cause } = columns;
    this.#waits.add(columns.utid.values[row] ?? 0, {
      ts: columns.ts.values[row] ?? 0,
      te: columns.te.values[row] ?? 0,
      left_ts: present?.[row] === 0 ? NaN : (values[row] ?? NaN),
      waker: waker > 0 ? waker : BY_INTERRUPT,
      is_wake: cause.present?.[row] !== 0 && cause.texts?.[cause.values[row] ?? 0] === 'wake',
    });
  }

  run({ columns }: RunBatch, row: number): void {
    const utid = columns.utid.values[row] ?? 0;
    const ts = columns.ts.values[row] ?? 0;
    const te = columns.te.values[row] ?? 0;
    this.#end_ts = Math.max(this.#end_ts, te);
    if (utid === 0) return;
    if (utid >= this.#te.length) this.#makeRoom(2 * utid);
    this.#add(utid, this.#waits.until(utid, ts), ts, ts);
    const { switch_out_state: state, switch_out_wait_reason: reason } = columns;
    if (reason.texts !== this.#texts) {
      this.#texts = reason.texts;
      this.#numbers = Uint8Array.from(reason.texts ?? [], (text) => this.#numberOf(text));
    }
    this.#hasRun[utid] = 1;
    this.#te[utid] = te;
    const ended = state.present?.[row] === 0 ? null : state.texts?.[state.values[row] ?? 0];
    this.#state[utid] = ended == null ? UNKNOWN : ended === 'Waiting' ? WAITING : OTHER;
    this.#reason[utid] = reason.present?.[row] === 0 ? 0 : (this.#numbers[reason.values[row] ?? 0] ?? 0);
  }

  finish(): void {
    for (let utid = 0; utid < this.#te.length; utid++)
      if (this.#hasRun[utid] === 1)
        this.#add(utid, this.#waits.openAfter(utid, this.#te[utid] ?? 0), this.#end_ts, NaN);
  }

  /** What a thread did between its last run and `ts`, if that was to be blocked; `wait` is the ready wait in between. */
  #add(utid: number, wait: number, ts: number, in_ts: number): void {
    const waits = this.#waits;
    const isWoken = wait !== NONE && waits.isWake[wait] === 1;
    const left_ts = isWoken ? (waits.left_ts[wait] ?? NaN) : NaN;
    const state = this.#state[utid] ?? UNKNOWN;
    // A compact context switch tells no state: that the thread was woken tells it, too.
    const isBlocked = state === WAITING || (state === UNKNOWN && !Number.isNaN(left_ts));
    const from = state === WAITING ? (this.#te[utid] ?? ts) : left_ts;
    const until = isWoken ? (waits.ts[wait] ?? ts) : ts;
    if (!isBlocked || until <= from) return;
    const block = this.#block;
    [block.utid, block.ts, block.te, block.in_ts] = [utid, from, until, in_ts];
    block.reason = state === WAITING ? (this.#reason[utid] ?? 0) : 0;
    const unseen = Number.isNaN(in_ts) ? NOT_ENDED : NO_READY_EVENT;
    block.waker = isWoken ? (waits.waker[wait] ?? BY_INTERRUPT) : unseen;
    this.#tell(block, this.#reasons);
  }

  #numberOf(reason: string): number {
    const known = this.#reasons.indexOf(reason);
    return known < 0 ? this.#reasons.push(reason) - 1 : known;
  }

  #makeRoom(threads: number): void {
    this.#hasRun = grown(this.#hasRun, new Uint8Array(threads));
    this.#te = grown(this.#te, new Float64Array(threads));
    this.#state = grown(this.#state, new Uint8Array(threads));
    this.#reason = grown(this.#reason, new Uint8Array(threads));
  }
}

interface Wait {
  readonly ts: number;
  readonly te: number;
  readonly left_ts: number;
  readonly waker: number;
  readonly is_wake: boolean;
}

/** The ready waits of each thread that ended since its last run began: in columns, each in a slot. */
class EndedWaits {
  ts = new Float64Array(1 << 8);
  left_ts = new Float64Array(1 << 8);
  waker = new Int32Array(1 << 8);
  isWake = new Uint8Array(1 << 8);
  #te = new Float64Array(1 << 8);
  /** The next wait of the same thread; of a free slot the next free one. */
  #next = new Int32Array(1 << 8);
  #used = 0;
  #free = NONE;
  /** By thread. */
  #first = new Int32Array(1 << 10).fill(NONE);
  #last = new Int32Array(1 << 10).fill(NONE);

  /** Adds a wait; those of a thread come in the order of their ends. */
  add(utid: number, { ts, te, left_ts, waker, is_wake }: Wait): void {
    if (utid >= this.#first.length) {
      this.#first = grown(this.#first, new Int32Array(2 * utid).fill(NONE));
      this.#last = grown(this.#last, new Int32Array(2 * utid).fill(NONE));
    }
    const slot = this.#take();
    this.ts[slot] = ts;
    this.#te[slot] = te;
    this.left_ts[slot] = left_ts;
    this.waker[slot] = waker;
    this.isWake[slot] = Number(is_wake);
    this.#next[slot] = NONE;
    if ((this.#first[utid] ?? NONE) === NONE) this.#first[utid] = slot;
    else this.#next[this.#last[utid] ?? 0] = slot;
    this.#last[utid] = slot;
  }

  /** The wait that a switch-in at `ts` ended. Those before it are let go. */
  until(utid: number, ts: number): number {
    let wait = this.#first[utid] ?? NONE;
    while (wait !== NONE && (this.#te[wait] ?? 0) < ts) {
      const next = this.#next[wait] ?? NONE;
      this.#next[wait] = this.#free;
      this.#free = wait;
      wait = next;
    }
    if (utid < this.#first.length) this.#first[utid] = wait;
    return wait !== NONE && this.#te[wait] === ts ? wait : NONE;
  }

  /** The last wait, if it began at `ts` or later: it did not end. */
  openAfter(utid: number, ts: number): number {
    // What was let go had ended before the last run.
    if ((this.#first[utid] ?? NONE) === NONE) return NONE;
    const last = this.#last[utid] ?? NONE;
    return (this.ts[last] ?? NaN) >= ts ? last : NONE;
  }

  #take(): number {
    const slot = this.#free;
    if (slot !== NONE) {
      this.#free = this.#next[slot] ?? NONE;
      return slot;
    }
    if (this.#used === this.ts.length) {
      const length = 2 * this.#used;
      this.ts = grown(this.ts, new Float64Array(length));
      this.#te = grown(this.#te, new Float64Array(length));
      this.left_ts = grown(this.left_ts, new Float64Array(length));
      this.waker = grown(this.waker, new Int32Array(length));
      this.isWake = grown(this.isWake, new Uint8Array(length));
      this.#next = grown(this.#next, new Int32Array(length));
    }
    return this.#used++;
  }
}
