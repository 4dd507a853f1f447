import { grown, type Batch, type NumberValues, type Stretch, type Tables } from '../tables/index.ts';
import { FOR_WORK, type Flags } from './for-work.ts';
import { walkBack, type WalksBack } from './walk-back.ts';

/** Keys of threads, in as few bytes as they take. */
type Threads = Uint16Array | Uint32Array;

/** Ends and beginnings of blocks, back through time: a block comes at the wake that ends it, and then at the switch-out that begins it. */
export interface BlockEvents {
  /** When the first of them was, in ns. None is later than the one before. */
  readonly first_ts: number;
  /** Twice the ns from each back to the first one; 1 more for a wake from a block for work. */
  readonly backs: Uint32Array;
  readonly utids: Threads;
  /** The thread itself at a switch-out; at a wake the thread that woke it, or 0. */
  readonly wakers: Threads;
  /** The greatest key of these threads. */
  readonly greatest: number;
  /** The threads that were blocked already before the last of these events. */
  readonly open: OpenBlocks;
}

/** Threads that are blocked, and when their blocks end, in ns. */
export interface OpenBlocks {
  readonly utids: Uint32Array;
  readonly wake_ts: Float64Array;
}

/** So many events are together at most. */
const MOST_EVENTS = 1 << 16;
/** The first and the last of these are so far apart at most, in ns: twice as much has 32 bits. */
const MOST_NS = 2 ** 31 - 1;
/** Keys below it have 16 bits. */
const SHORT_KEYS = 1 << 16;

/** What is read of runs and of ready waits, besides times and threads. */
type OfRuns = 'switch_out_state' | 'switch_out_wait_reason';
type OfWaits = 'te' | 'waker_utid';
type Runs = Batch<'ts' | 'te' | 'utid' | OfRuns>;
type Waits = Readonly<Record<'ts' | 'utid' | 'row' | OfWaits, Float64Array>>;

const NO_NUMBERS = new Uint8Array(0);

/**
 * Passes on what a walk back through a range meets of blocks that ended in it, many events at a time. `isForWork` has the rows of
 * `etw_ready_wait` whose threads had blocked for work. Without it, the run that ended last before a wake says so: then what was passed on is
 * right when the walk is over. Gives whether that is all: each run that ended blocked has a wake after it, by no thread or another one, which
 * ends with the next run; and no other run has.
 */
export async function passBlockEvents(
  tables: Tables,
  range: Stretch,
  pass: (events: BlockEvents) => void,
  { isForWork = null, onRuns = null }: BesidesBlocks,
): Promise<boolean> {
  const gathered = new GatheredEvents(range.end, pass, isForWork, onRuns);
  const [runs, waits] = [
    ['switch_out_state', 'switch_out_wait_reason'],
    ['te', 'waker_utid'],
  ] as const;
  await walkBack<OfRuns, OfWaits>(tables, { range, cause: 'wake', runs, waits }, gathered);
  gathered.flush();
  return gathered.areAll;
}

/** What is known besides, and who else wants to see the runs. */
interface BesidesBlocks {
  readonly isForWork?: Flags | null;
  readonly onRuns?: ((runs: Runs) => void) | null;
}

/** Where a wake is among the events. */
interface Place {
  readonly part: number;
  readonly at: number;
}

class GatheredEvents implements WalksBack<OfRuns, OfWaits> {
  /** Whether no block was met that these events do not tell. */
  areAll = true;
  readonly #end: number;
  readonly #pass: (events: BlockEvents) => void;
  readonly #isForWork: Flags | null;
  readonly #onRuns: ((runs: Runs) => void) | null;
  /** What was not passed on yet. */
  #first_ts = 0;
  #count = 0;
  readonly #backs = new Uint32Array(MOST_EVENTS);
  readonly #utids = new Uint32Array(MOST_EVENTS);
  readonly #wakers = new Uint32Array(MOST_EVENTS);
  /** The greatest key of these. */
  #greatest = 0;
  /** The times of what was passed on, where a wake can still turn out to end a block for work. */
  readonly #passed: Uint32Array[] = [];
  /** By thread: 1 from the wake on until the switch-out, when that wake was, and where it is. */
  #isBlocked = new Uint8Array(1 << 10);
  #wake_ts = new Float64Array(1 << 10);
  #part = new Uint32Array(1 << 10);
  #at = new Uint32Array(1 << 10);
  /** By thread: when the next run begins, 0 if there is none; and when the ready wait after the wake ends. */
  #next_ts = new Float64Array(1 << 10);
  #ready_te = new Float64Array(1 << 10);
  /** By thread: further wakes that end the same block. */
  readonly #further = new Map<number, Place[]>();
  /** Of the runs at hand. */
  #begins: NumberValues = NO_NUMBERS;
  #ends: NumberValues = NO_NUMBERS;
  #threads: NumberValues = NO_NUMBERS;
  #reasons: NumberValues = NO_NUMBERS;
  #states: NumberValues = NO_NUMBERS;
  /** By the number of a state: 1 if it is to be blocked. */
  #isWaiting = NO_NUMBERS;
  /** By the number of a wait reason: 1 if it is for work. */
  #isWork = NO_NUMBERS;

  constructor(
    end: number,
    pass: (events: BlockEvents) => void,
    isForWork: Flags | null,
    onRuns: ((runs: Runs) => void) | null,
  ) {
    [this.#end, this.#pass, this.#isForWork, this.#onRuns] = [end, pass, isForWork, onRuns];
  }

  runs(runs: Runs): void {
    const { ts, te, utid, switch_out_state: state, switch_out_wait_reason: reason } = runs.columns;
    [this.#begins, this.#ends, this.#threads] = [ts.values, te.values, utid.values];
    [this.#states, this.#reasons] = [state.values, reason.values];
    this.#isWaiting = Uint8Array.from(state.texts ?? [], (text) => Number(text === 'Waiting'));
    this.#isWork = Uint8Array.from(reason.texts ?? [], (text) => Number(FOR_WORK.has(text)));
    this.#onRuns?.(runs);
  }

  run({ switch_out_state: state, switch_out_wait_reason: { present } }: Runs['columns'], row: number): void {
    const utid = this.#threads[row] ?? 0;
    if (utid === 0) return;
    if (utid >= this.#isBlocked.length) this.#makeRoom(2 * utid);
    const next_ts = this.#next_ts[utid] ?? 0;
    this.#next_ts[utid] = this.#begins[row] ?? 0;
    const te = this.#ends[row] ?? 0;
    const isWaiting = this.#isWaiting[this.#states[row] ?? 0] === 1 && state.present?.[row] !== 0;
    if (this.#isBlocked[utid] === 0) {
      if (isWaiting && next_ts > 0) this.areAll = false;
      return;
    }
    if (te >= this.#end) return;
    const ready_te = this.#ready_te[utid] ?? 0;
    if (!isWaiting || (next_ts > 0 ? ready_te !== next_ts : ready_te < this.#end)) this.areAll = false;
    const isWork = this.#isWork[this.#reasons[row] ?? 0] === 1 && present?.[row] !== 0;
    if (this.#isForWork === null) this.#decide(utid, isWork);
    this.#add(te, utid, utid, 0);
    this.#isBlocked[utid] = 0;
  }

  wait(waits: Waits, wait: number): void {
    const utid = (waits.utid[wait] ?? 0) | 0;
    // No number becomes 0.
    const waker = (waits.waker_utid[wait] ?? 0) | 0;
    if (utid === 0) return;
    if (utid >= this.#isBlocked.length) this.#makeRoom(2 * utid);
    const ts = waits.ts[wait] ?? 0;
    if (this.#isBlocked[utid] === 1) this.#keepFurther(utid);
    else this.#wake_ts[utid] = ts;
    this.#ready_te[utid] = waits.te[wait] ?? 0;
    if (waker === utid) this.areAll = false;
    const isForWork = this.#isForWork?.has(waits.row[wait] ?? 0) === true;
    this.#add(ts, utid, waker > 0 && waker !== utid ? waker : 0, Number(isForWork));
    this.#isBlocked[utid] = 1;
    this.#part[utid] = this.#passed.length;
    this.#at[utid] = this.#count - 1;
  }

  /** Passes on what is left. */
  flush(): void {
    const count = this.#count;
    if (count === 0) return;
    const keys = (of: Uint32Array) =>
      this.#greatest < SHORT_KEYS ? new Uint16Array(of.subarray(0, count)) : of.slice(0, count);
    const backs = this.#backs.slice(0, count);
    if (this.#isForWork === null) this.#passed.push(backs);
    const [utids, wakers] = [keys(this.#utids), keys(this.#wakers)];
    const open = this.#open();
    this.#pass({ first_ts: this.#first_ts, backs, utids, wakers, greatest: this.#greatest, open });
    [this.#count, this.#greatest] = [0, 0];
  }

  #add(ts: number, utid: number, waker: number, more: number): void {
    const back_ns = this.#first_ts - ts;
    const last_ns = this.#count === 0 ? 0 : (this.#backs[this.#count - 1] ?? 0) >>> 1;
    // Where events were lost, a run may stand before one that ended later.
    if (this.#count === MOST_EVENTS || back_ns > MOST_NS || back_ns < last_ns) this.flush();
    if (this.#count === 0) this.#first_ts = ts;
    const at = this.#count++;
    this.#backs[at] = 2 * (this.#first_ts - ts) + more;
    this.#utids[at] = utid;
    this.#wakers[at] = waker;
    if (utid > this.#greatest) this.#greatest = utid;
    if (waker > this.#greatest) this.#greatest = waker;
  }

  /** The threads that are blocked. */
  #open(): OpenBlocks {
    const utids = new Uint32Array(this.#isBlocked.reduce((sum, is) => sum + is, 0));
    let count = 0;
    for (let utid = 0; utid < this.#isBlocked.length; utid++)
      if (this.#isBlocked[utid] === 1) utids[count++] = utid;
    return { utids, wake_ts: Float64Array.from(utids, (utid) => this.#wake_ts[utid] ?? 0) };
  }

  /** The block of a thread was for work, or not: the run before it says so. */
  #decide(utid: number, isWork: boolean): void {
    if (isWork) this.#mark(this.#part[utid] ?? 0, this.#at[utid] ?? 0);
    if (this.#further.size === 0) return;
    if (isWork) for (const { part, at } of this.#further.get(utid) ?? []) this.#mark(part, at);
    this.#further.delete(utid);
  }

  #mark(part: number, at: number): void {
    const backs = this.#passed[part] ?? this.#backs;
    backs[at] = (backs[at] ?? 0) | 1;
  }

  #keepFurther(utid: number): void {
    this.areAll = false;
    const further = this.#further.get(utid) ?? [];
    this.#further.set(utid, further);
    further.push({ part: this.#part[utid] ?? 0, at: this.#at[utid] ?? 0 });
  }

  #makeRoom(threads: number): void {
    this.#isBlocked = grown(this.#isBlocked, new Uint8Array(threads));
    this.#wake_ts = grown(this.#wake_ts, new Float64Array(threads));
    this.#next_ts = grown(this.#next_ts, new Float64Array(threads));
    this.#ready_te = grown(this.#ready_te, new Float64Array(threads));
    this.#part = grown(this.#part, new Uint32Array(threads));
    this.#at = grown(this.#at, new Uint32Array(threads));
  }
}
