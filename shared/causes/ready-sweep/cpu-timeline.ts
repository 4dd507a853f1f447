import { NOT_THERE } from '../../why-late/index.ts';
import { orderOf, PairNumbers } from '../../tables/index.ts';
import type { JudgedBy } from '../ready-parts.ts';
import { firstWhere, type RowNumbers } from '../rows.ts';
import type { Span } from '../stretches.ts';
import { Interruptions, NOT_INTERRUPTED } from './interruptions.ts';

/** The state of a CPU without a run before any is recorded. */
export const MISSING_STATE = 0;
/** The state of a CPU of which events are missing. */
export const LOST_STATE = 1;
const FIRST_STATE = 2;

/** In place of a number where no run is recorded. */
const NO_RUN = -1;

/** In place of the rank of idle runs. */
const IDLE = -2;

/** What a CPU does whose run is recorded. */
export interface CpuState {
  /** The thread; 0 is the idle one, 1 stands for any other. */
  readonly utid: 0 | 1;
  readonly rank: number;
  readonly priority: number;
  /** It is in a DPC or an ISR. */
  readonly isInterrupted: boolean;
}

/** A change of one CPU that neither a run nor an interrupt makes. */
interface Change {
  readonly ts: number;
  readonly cpu: number;
  readonly what: 'begin' | 'lose' | 'find';
}

/** What the CPUs of a machine do in a stretch of time, from one change to the next. */
export class CpuTimeline {
  /** The state of each CPU; {@link CpuTimeline.stateOf} tells what it stands for. */
  readonly state: Int32Array;
  /** When each CPU was in interrupts, up to now. */
  readonly interruptions: readonly Interruptions[];
  /** What runs on each CPU, by its number among kinds; `NO_RUN` where that is not recorded. */
  readonly #run: Int32Array;
  /** What tells runs apart for those who wait: rank and priority, or that they are idle. */
  readonly #runKinds = new PairNumbers();
  /** How many interrupts each CPU is in. */
  readonly #interrupts: Int32Array;
  /** In how many losses of events each CPU is. */
  readonly #losses: Int32Array;
  /** 1 for a CPU whose runs are recorded from then on. */
  readonly #hasBegun: Uint8Array;
  readonly #count: number;
  /** When anything changes next; infinite if nothing does. */
  next_ts = -Infinity;
  /** The same of all but runs. */
  #nextOther_ts = -Infinity;
  /** When the last idle run of each CPU ended. */
  readonly #idleEnd: Float64Array;
  readonly #runs: {
    readonly ts: RowNumbers;
    readonly te: RowNumbers;
    readonly cpu: RowNumbers;
    readonly utid: RowNumbers;
    readonly rank: RowNumbers;
    readonly priority: RowNumbers;
  };
  /** The run that ends next, of all CPUs: they are in the order of their ends. */
  #row: number;
  /** The runs of each CPU, and the place of the one that is on it, or comes next. */
  readonly #own: readonly Uint32Array[];
  readonly #place: Int32Array;
  /** When the next run begins on each CPU that has none; infinite for the others. The first of these. */
  readonly #gapEnd_ts: Float64Array;
  #gapEnds_ts = Infinity;
  readonly #interruptRows: {
    readonly ts: RowNumbers;
    readonly te: Float64Array;
    readonly cpu: RowNumbers;
  };
  /** Interrupts by their starts, and by their ends. */
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #start = 0;
  #end = 0;
  readonly #changes: readonly Change[];
  #change = 0;

  /** Stands at the start of the stretch. */
  constructor({ history, machine, losses, first_run_ts }: JudgedBy, stretch: Span) {
    this.#count = machine.cpu_count;
    const each = () => new Int32Array(this.#count);
    [this.#interrupts, this.#losses] = [each(), each()];
    this.#run = each().fill(NO_RUN);
    this.state = each().fill(MISSING_STATE);
    this.interruptions = Array.from(this.state, () => new Interruptions());
    this.#hasBegun = new Uint8Array(this.#count);
    this.#idleEnd = new Float64Array(this.#count).fill(NaN);
    const { runs, interrupts, interruptTe } = history;
    this.#runs = {
      ts: runs.column('ts'),
      te: runs.column('te'),
      cpu: runs.column('cpu'),
      utid: runs.column('utid'),
      rank: runs.column('rank'),
      priority: runs.column('priority'),
    };
    this.#own = Array.from({ length: this.#count }, (_, cpu) => history.runsOn(cpu));
    this.#place = each();
    this.#gapEnd_ts = new Float64Array(this.#count).fill(Infinity);
    const { te } = this.#runs;
    this.#row = firstWhere(te.length, (row) => (te[row] ?? 0) > stretch.ts);
    this.#own.forEach((own, cpu) => {
      this.#place[cpu] = firstWhere(own.length, (at) => (te[own[at] ?? 0] ?? 0) > stretch.ts);
      this.#beginNext(cpu, stretch.ts);
    });
    this.#interruptRows = { ts: interrupts.column('ts'), te: interruptTe, cpu: interrupts.column('cpu') };
    this.#ends = this.#interruptsIn(history, stretch);
    const starts = Float64Array.from(this.#ends, (row) =>
      Math.max(this.#interruptRows.ts[row] ?? 0, stretch.ts),
    );
    this.#starts = orderOf(starts).map((index) => this.#ends[index] ?? 0);
    this.#changes = [
      ...Array.from(first_run_ts, (ts, cpu): Change => ({ ts, cpu, what: 'begin' })),
      ...losses
        .filter((loss) => loss.ts < stretch.te && loss.te > stretch.ts)
        .flatMap(({ cpu, ts, te }): Change[] => [
          { ts, cpu, what: 'lose' },
          { ts: te, cpu, what: 'find' },
        ]),
    ]
      .filter(({ cpu }) => cpu < this.#count)
      .sort((a, b) => a.ts - b.ts);
    const nobody = () => undefined;
    this.state.forEach((_, cpu) => this.#enter(cpu, stretch.ts, nobody));
    this.goTo(stretch.ts, nobody);
  }

  /** What a state stands for in which a run is recorded. */
  stateOf(state: number): CpuState {
    const kind = (state - FIRST_STATE) >> 1;
    const [rank, priority] = [this.#runKinds.first(kind), this.#runKinds.second(kind)];
    const isInterrupted = isInterruptedIn(state);
    return rank === IDLE
      ? { utid: 0, rank: NOT_THERE, priority, isInterrupted }
      : { utid: 1, rank, priority, isInterrupted };
  }

  /** Goes on to a time, which is not after `next_ts`, and tells each CPU whose state is another one then. */
  goTo(ts: number, tell: (cpu: number) => void): void {
    const { te, cpu: on } = this.#runs;
    for (let run = this.#row; (te[run] ?? Infinity) <= ts; run = ++this.#row) {
      const cpu = on[run] ?? 0;
      const place = this.#place[cpu] ?? 0;
      // What is not on a CPU has no length.
      if (this.#own[cpu]?.[place] !== run || this.#run[cpu] === NO_RUN) continue;
      const end_ts = te[run] ?? 0;
      if (this.#runs.utid[run] === 0) this.#idleEnd[cpu] = end_ts;
      this.#run[cpu] = NO_RUN;
      this.#place[cpu] = place + 1;
      this.#beginNext(cpu, end_ts);
      this.#enter(cpu, ts, tell);
    }
    if (this.#gapEnds_ts <= ts) this.#endGaps(ts, tell);
    if (this.#nextOther_ts <= ts) this.#changeOthers(ts, tell);
    this.next_ts = Math.min(te[this.#row] ?? Infinity, this.#gapEnds_ts, this.#nextOther_ts);
  }

  /** What begins or ends on CPUs besides runs. */
  #changeOthers(ts: number, tell: (cpu: number) => void): void {
    const { ts: starts, te: ends, cpu: on } = this.#interruptRows;
    const step = (row: number, by: 1 | -1) => {
      const cpu = on[row] ?? 0;
      this.#interrupts[cpu] = (this.#interrupts[cpu] ?? 0) + by;
      this.#enter(cpu, ts, tell);
    };
    const starts_ts = () => starts[this.#starts[this.#start] ?? -1] ?? Infinity;
    const ends_ts = () => ends[this.#ends[this.#end] ?? -1] ?? Infinity;
    for (; starts_ts() <= ts; this.#start++) step(this.#starts[this.#start] ?? 0, 1);
    for (; ends_ts() <= ts; this.#end++) step(this.#ends[this.#end] ?? 0, -1);
    let change = this.#changes[this.#change];
    for (; change !== undefined && change.ts <= ts; change = this.#changes[++this.#change]) {
      if (change.what === 'begin') this.#hasBegun[change.cpu] = 1;
      else this.#losses[change.cpu] = (this.#losses[change.cpu] ?? 0) + (change.what === 'lose' ? 1 : -1);
      this.#enter(change.cpu, ts, tell);
    }
    this.#nextOther_ts = Math.min(starts_ts(), ends_ts(), change?.ts ?? Infinity);
  }

  /** Whether an idle run ended on a CPU at the time that was gone to. */
  wasIdleUntil(cpu: number, ts: number): boolean {
    return this.#idleEnd[cpu] === ts;
  }

  /** On CPUs on which nothing ran for a while runs begin. */
  #endGaps(ts: number, tell: (cpu: number) => void): void {
    this.#gapEnds_ts = Infinity;
    this.#gapEnd_ts.forEach((end_ts, cpu) => {
      if (end_ts > ts) {
        this.#gapEnds_ts = Math.min(this.#gapEnds_ts, end_ts);
        return;
      }
      this.#gapEnd_ts[cpu] = Infinity;
      this.#beginNext(cpu, end_ts);
      this.#enter(cpu, ts, tell);
    });
  }

  /** The next run on a CPU begins, if it begins by a time. */
  #beginNext(cpu: number, ts: number): void {
    const own = this.#own[cpu];
    let place = this.#place[cpu] ?? 0;
    const { ts: starts, te: ends } = this.#runs;
    // A run without length changes nothing.
    while ((ends[own?.[place] ?? -1] ?? Infinity) <= Math.max(ts, starts[own?.[place] ?? -1] ?? 0)) place++;
    this.#place[cpu] = place;
    const run = own?.[place] ?? -1;
    const start_ts = starts[run] ?? Infinity;
    if (start_ts <= ts) {
      this.#run[cpu] = this.#kindOf(run);
      return;
    }
    this.#gapEnd_ts[cpu] = start_ts;
    this.#gapEnds_ts = Math.min(this.#gapEnds_ts, start_ts);
  }

  /** A CPU enters the state that what it does now makes; tells it if that is another one. */
  #enter(cpu: number, ts: number, tell: (cpu: number) => void): void {
    const before = this.state[cpu] ?? 0;
    const after = this.#stateNow(cpu);
    if (before === after) return;
    this.state[cpu] = after;
    if (isInterruptedIn(after)) this.interruptions[cpu]?.add(ts, after);
    else if (isInterruptedIn(before)) this.interruptions[cpu]?.add(ts, NOT_INTERRUPTED);
    tell(cpu);
  }

  #stateNow(cpu: number): number {
    if ((this.#losses[cpu] ?? 0) > 0) return LOST_STATE;
    const run = this.#run[cpu] ?? NO_RUN;
    // A CPU without a run is one of which events are missing, once it had runs.
    if (run === NO_RUN) return this.#hasBegun[cpu] === 1 ? LOST_STATE : MISSING_STATE;
    return FIRST_STATE + 2 * run + ((this.#interrupts[cpu] ?? 0) > 0 ? 1 : 0);
  }

  #kindOf(run: number): number {
    const { utid, rank, priority } = this.#runs;
    return utid[run] === 0
      ? this.#runKinds.of(IDLE, 0)
      : this.#runKinds.of(orNotThere(rank[run]), priority[run] ?? 0);
  }

  /** The interrupts that a stretch touches, by their ends. A threaded DPC is a thread's work. */
  #interruptsIn({ interrupts }: JudgedBy['history'], stretch: Span): Uint32Array {
    const { ts, te, cpu } = this.#interruptRows;
    const threaded = interrupts.numberOf('kind', 'threaded_dpc');
    const kinds = interrupts.column('kind');
    const found = new Uint32Array(interrupts.count);
    let count = 0;
    for (let row = 0; row < interrupts.count; row++) {
      const [from, to] = [Math.max(ts[row] ?? 0, stretch.ts), Math.min(te[row] ?? 0, stretch.te)];
      if (to > from && (cpu[row] ?? 0) < this.#count && kinds[row] !== threaded) found[count++] = row;
    }
    return found.subarray(0, count);
  }
}

/** Whether a run is recorded in a state, and an interrupt keeps the CPU from it. */
function isInterruptedIn(state: number): boolean {
  return state > FIRST_STATE && (state & 1) !== (FIRST_STATE & 1);
}

function orNotThere(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? NOT_THERE : value;
}
