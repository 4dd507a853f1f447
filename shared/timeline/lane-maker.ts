import { grown, numberAt, type Batch, type NumberValues } from '../tables/index.ts';
import { LongestWaits, waitAt, type Machine, type Wait } from '../why-late/columns/index.ts';
import { withGaps, type Gap } from './gaps.ts';
import { GrowingLanes } from './growing-lanes.ts';
import { Lane, NOTHING } from './lane.ts';
import type { Lanes, ThreadLane } from './lanes.ts';
import { TextNumbers } from './text-numbers.ts';
import { valueOf } from './thread-state.ts';

/** The columns of runs and of ready waits that lanes are made of. */
export const RUN_COLUMNS = ['cpu', 'utid', 'ended', 'switch_out_state', 'switch_out_wait_reason'] as const;
export const WAIT_COLUMNS = [
  'utid',
  'cause',
  'rank',
  'priority',
  'cpu',
  'flags',
  'last_ready_ts',
  'last_switch_out_ts',
] as const;
type Runs = Batch<(typeof RUN_COLUMNS)[number] | 'ts' | 'te'>;
type Waits = Batch<(typeof WAIT_COLUMNS)[number] | 'ts' | 'te'>;

const READY = valueOf('ready');
const BLOCKED = valueOf('blocked');
const LOST = valueOf('lost');

/** So many of the longest ready waits are kept. */
const LONGEST = 2000;

/** States after a run in which a thread could go on. */
const READY_STATES: ReadonlySet<string | null> = new Set(['Ready', 'Standby', 'DeferredReady', 'Running']);
/** What {@link TextNumbers} give for a state in which a thread waits for something; no value of a lane. */
const WAITS = 2 ** 16;
/** Likewise for whether a wake began a wait. */
const [NO_WAKE, WAKE] = [0, 1];

/** When a thread was made and ended. */
export interface Life {
  readonly create_ts: number | null;
  readonly exit_ts: number | null;
}

/** Makes the lanes of a trace of its runs and waits, which come in the order in which `inOneOrder` gives them. */
export class LaneMaker {
  readonly #machine: Pick<Machine, 'start_ts' | 'end_ts' | 'cpu_count'>;
  readonly #lives: ReadonlyMap<number, Life>;
  readonly #gaps: readonly Gap[];
  readonly #running: Uint16Array;
  readonly #cpus = new GrowingLanes(true);
  readonly #lanes = new GrowingLanes();
  /** By utid. */
  #runCounts = new Uint32Array(0);
  #wakeCounts = new Uint32Array(0);
  readonly #lastReadied = new Map<number, Map<number, number>>();
  readonly #longest = new LongestWaits<Wait>(LONGEST, 1);
  readonly #reasons: (string | null)[] = [null];
  readonly #numbers = new Map<string | null, number>([[null, 0]]);
  #runs: RunRows | null = null;
  #waits: WaitRows | null = null;

  /** @param gaps as `joinGaps` gives them */
  constructor(
    machine: Pick<Machine, 'start_ts' | 'end_ts' | 'cpu_count'>,
    lives: ReadonlyMap<number, Life>,
    gaps: readonly Gap[],
  ) {
    [this.#machine, this.#lives, this.#gaps] = [machine, lives, gaps];
    this.#running = Uint16Array.from({ length: machine.cpu_count }, (_, cpu) => valueOf('running', cpu));
  }

  addRun(batch: Runs, row: number): void {
    let runs = this.#runs;
    if (runs?.batch !== batch) this.#runs = runs = new RunRows(batch, (reason) => this.#numberOf(reason));
    const { ts, te } = runs;
    const cpu = (runs.cpu[row] ?? 0) | 0;
    const utid = (runs.utid[row] ?? 0) | 0;
    const isKnownCpu = cpu < this.#running.length;
    if (isKnownCpu && (te[row] ?? 0) > (ts[row] ?? 0)) {
      this.#cpus.appendAt(cpu, ts, row, utid + 1);
      this.#cpus.appendAt(cpu, te, row, NOTHING);
    }
    if (utid === 0) return;
    if (this.#lanes.lengthOf(utid) === 0) this.#begin(utid);
    this.#runCounts[utid] = (this.#runCounts[utid] ?? 0) + 1;
    const running = isKnownCpu ? (this.#running[cpu] ?? 0) : valueOf('running', cpu);
    this.#lanes.appendAt(utid, ts, row, running);
    this.#lanes.appendAt(utid, te, row, this.#afterRun(runs, row));
  }

  addWait(batch: Waits, row: number): void {
    let waits = this.#waits;
    if (waits?.batch !== batch) this.#waits = waits = new WaitRows(batch);
    const { ts, te } = waits;
    const utid = (waits.utid[row] ?? 0) | 0;
    const steps = this.#lanes.lengthOf(utid);
    if (steps === 0) this.#begin(utid);
    const isWake = waits.cause.at(row) === WAKE;
    if (isWake) this.#wakeCounts[utid] = (this.#wakeCounts[utid] ?? 0) + 1;
    if (steps <= 1) this.#endUnknownRun(batch, row, utid, isWake);
    this.#lanes.appendAt(utid, ts, row, READY);
    if (this.#gaps.length > 0) this.#keepLastReadied(batch, row, utid);
    if ((te[row] ?? 0) - (ts[row] ?? 0) >= this.#longest.least_ns) this.#longest.add(waitAt(batch, row));
  }

  /** The lanes with all that was added. */
  finish(): Lanes {
    const { start_ts, end_ts, cpu_count } = this.#machine;
    const gaps = this.#gaps;
    const longest = this.#longest.all();
    const isTold = longest.length > 0;
    const begun = Array.from(this.#runCounts.keys()).filter((utid) => this.#lanes.lengthOf(utid) > 0);
    for (const utid of begun) {
      const exit_ts = this.#lives.get(utid)?.exit_ts ?? end_ts;
      this.#lanes.append(utid, Math.max(Math.min(exit_ts, end_ts), this.#lanes.lastOf(utid)), NOTHING);
    }
    const lanes = this.#lanes.finish();
    const threads = new Map<number, ThreadLane>();
    for (const utid of begun) {
      let lane = lanes[utid] ?? new Lane();
      const last = this.#lastReadied.get(utid) ?? new Map<number, number>();
      if (gaps.length > 0) lane = withGaps(lane, gaps, { isTold, last });
      const [runs = 0, wakes = 0] = [this.#runCounts[utid], this.#wakeCounts[utid]];
      threads.set(utid, { lane, runs, wakes });
    }
    const ofCpus = this.#cpus.finish();
    const cpus = Array.from({ length: cpu_count }, (_, cpu) => ofCpus[cpu] ?? new Lane(true));
    return { start_ts, end_ts, cpus, threads, reasons: this.#reasons, longest };
  }

  #begin(utid: number): void {
    const { start_ts } = this.#machine;
    const create_ts = this.#lives.get(utid)?.create_ts ?? start_ts;
    this.#lanes.append(utid, Math.max(start_ts, create_ts), BLOCKED);
    if (utid < this.#runCounts.length) return;
    this.#runCounts = grown(this.#runCounts, new Uint32Array(2 * utid + 64));
    this.#wakeCounts = grown(this.#wakeCounts, new Uint32Array(2 * utid + 64));
  }

  /** A thread that left a CPU, but was not seen to come to it, had run since some time before: since when is not known. */
  #endUnknownRun({ columns }: Waits, row: number, utid: number, isWake: boolean): void {
    const ended_ts = isWake ? numberAt(columns.last_switch_out_ts, row) : numberAt(columns.ts, row);
    if (ended_ts === null || ended_ts <= this.#lanes.lastOf(utid)) return;
    this.#lanes.replaceLast(utid, LOST);
    this.#lanes.append(utid, ended_ts, BLOCKED);
  }

  #keepLastReadied({ columns }: Waits, row: number, utid: number): void {
    const ts = columns.ts.values[row] ?? 0;
    const last_ts = numberAt(columns.last_ready_ts, row);
    if (last_ts === null || last_ts <= ts) return;
    const of = this.#lastReadied.get(utid) ?? new Map<number, number>();
    this.#lastReadied.set(utid, of.set(ts, last_ts));
  }

  /** What a thread does after a run. */
  #afterRun({ te, ended, after, blocked }: RunRows, row: number): number {
    if (ended[row] === 0) return (te[row] ?? 0) >= this.#machine.end_ts ? NOTHING : LOST;
    const value = after.at(row);
    return value === WAITS ? blocked.at(row) : value;
  }

  /** The number of a wait reason: in the order in which they come first. */
  #numberOf(reason: string | null): number {
    const known = this.#numbers.get(reason);
    if (known !== undefined) return known;
    this.#numbers.set(reason, this.#reasons.length);
    return this.#reasons.push(reason) - 1;
  }
}

/** The columns of a batch of runs: to look for them by name in each row would take longer than what is done with it. */
class RunRows {
  readonly batch: Runs;
  readonly ts: NumberValues;
  readonly te: NumberValues;
  readonly cpu: NumberValues;
  readonly utid: NumberValues;
  readonly ended: NumberValues;
  /** The value of a lane after a run, or {@link WAITS}; then by the reason. */
  readonly after: TextNumbers;
  readonly blocked: TextNumbers;

  constructor(batch: Runs, numberOf: (reason: string | null) => number) {
    const { ts, te, cpu, utid, ended, switch_out_state, switch_out_wait_reason } = batch.columns;
    this.batch = batch;
    this.ts = ts.values;
    this.te = te.values;
    this.cpu = cpu.values;
    this.utid = utid.values;
    this.ended = ended.values;
    this.after = new TextNumbers(switch_out_state, afterState);
    this.blocked = new TextNumbers(switch_out_wait_reason, (reason) => valueOf('blocked', numberOf(reason)));
  }
}

/** The columns of a batch of ready waits. */
class WaitRows {
  readonly batch: Waits;
  readonly ts: NumberValues;
  readonly te: NumberValues;
  readonly utid: NumberValues;
  readonly cause: TextNumbers;

  constructor(batch: Waits) {
    const { ts, te, utid, cause } = batch.columns;
    this.batch = batch;
    this.ts = ts.values;
    this.te = te.values;
    this.utid = utid.values;
    this.cause = new TextNumbers(cause, (text) => (text === 'wake' ? WAKE : NO_WAKE));
  }
}

function afterState(state: string | null): number {
  if (state === 'Terminated') return NOTHING;
  return READY_STATES.has(state) ? READY : WAITS;
}
