import { filled, orderOf } from '../../tables/index.ts';
import type { JudgedBy } from '../ready-parts.ts';
import { firstWhere, type RowNumbers } from '../rows.ts';
import type { Span } from '../stretches.ts';
import { Interruptions, NOT_INTERRUPTED } from './interruptions.ts';
import { NO_ROW, runLinks, type RunKind, type RunLinks } from './run-links.ts';

/** The state of a CPU without a run before any is recorded. */
export const MISSING_STATE = 0;
/** The state of a CPU that lacks events. */
export const LOST_STATE = 1;
const FIRST_STATE = 2;

/** The time that was gone to; when anything changes next; the same of all but runs; when the first run begins on a CPU that has none. */
const NOW = 0;
const NEXT = 1;
const NEXT_OTHER = 2;
const GAP_END = 3;
const TIMES = 4;

/** What a CPU does whose run is recorded. */
export interface CpuState extends RunKind {
  /** It is in a DPC or an ISR. */
  readonly isInterrupted: boolean;
}

/** Hears which CPUs change their state. Not a function: one would be compiled again for each history that is walked through. */
export interface CpuWatcher {
  /** A CPU is in another state. */
  change(cpu: number): void;
}

const NOBODY: CpuWatcher = { change: () => undefined };

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
  readonly #links: RunLinks;
  /** The run on each CPU; `NO_ROW` where none is recorded. */
  readonly #run: Int32Array;
  /** The run that comes next where none is on a CPU. */
  readonly #comes: Int32Array;
  /** How many interrupts each CPU is in. */
  readonly #interrupts: Int32Array;
  /** In how many losses of events each CPU is. */
  readonly #losses: Int32Array;
  /** 1 for a CPU whose runs are recorded from then on. */
  readonly #hasBegun: Uint8Array;
  readonly #count: number;
  /** The times of `NOW` and the others. In an array: memory would be made for each time that is put into a field. */
  readonly #times = new Float64Array(TIMES);
  /** When the last idle run of each CPU ended. */
  readonly #idleEnd: Float64Array;
  readonly #runs: { readonly ts: RowNumbers; readonly te: RowNumbers; readonly utid: RowNumbers };
  /** The run that ends next, of all CPUs: they are in the order of their ends. */
  #row: number;
  /** When the next run begins on each CPU that has none; infinite for the others. */
  readonly #gapEnd_ts: Float64Array;
  readonly #interruptRows: {
    readonly ts: RowNumbers;
    readonly te: RowNumbers;
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
    this.#run = each().fill(NO_ROW);
    this.#comes = each().fill(NO_ROW);
    this.state = each().fill(MISSING_STATE);
    this.interruptions = Array.from(this.state, () => new Interruptions());
    this.#hasBegun = new Uint8Array(this.#count);
    this.#idleEnd = new Float64Array(this.#count).fill(NaN);
    const { runs, interrupts, interruptTe } = history;
    this.#runs = { ts: runs.column('ts'), te: runs.column('te'), utid: runs.column('utid') };
    this.#links = runLinks(history);
    this.#gapEnd_ts = new Float64Array(this.#count).fill(Infinity);
    const { te } = this.#runs;
    this.#row = firstWhere(te.length, (row) => (te[row] ?? 0) > stretch.ts);
    this.#beginFirst(stretch.ts);
    this.#interruptRows = { ts: interrupts.column('ts'), te: interruptTe, cpu: interrupts.column('cpu') };
    this.#ends = this.#interruptsIn(history, stretch);
    const [ends, { ts: rowTs }] = [this.#ends, this.#interruptRows];
    const starts = filled(new Float64Array(ends.length), (at) =>
      Math.max(rowTs[ends[at] ?? 0] ?? 0, stretch.ts),
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
    this.#times.fill(stretch.ts);
    this.#times[GAP_END] = Infinity;
    this.#gapEnd_ts.forEach((end_ts) => this.#gapsEndBy(end_ts));
    this.state.forEach((_, cpu) => this.#enter(cpu, NOBODY));
    this.goOn(NOBODY);
  }

  /** The time that was gone to. */
  get now(): number {
    return this.#times[NOW] ?? 0;
  }

  /** When anything changes next; infinite if nothing does. */
  get next_ts(): number {
    return this.#times[NEXT] ?? 0;
  }

  /** What a state stands for in which a run is recorded. */
  stateOf(state: number): CpuState {
    return { ...this.#links.kindOf((state - FIRST_STATE) >> 1), isInterrupted: isInterruptedIn(state) };
  }

  /** Goes on to `next_ts`, and tells each CPU whose state is another one then. */
  goOn(watcher: CpuWatcher): void {
    const times = this.#times;
    const now = times[NEXT] ?? 0;
    times[NOW] = now;
    const { te } = this.#runs;
    let run = this.#row;
    for (; run < te.length && (te[run] ?? 0) <= now; run++) {
      const cpu = this.#links.cpu[run] ?? 0;
      // What is not on a CPU has no length.
      if (this.#run[cpu] !== run) continue;
      if (this.#runs.utid[run] === 0) this.#idleEnd[cpu] = te[run] ?? 0;
      this.#beginNext(cpu, run);
      this.#enter(cpu, watcher);
    }
    this.#row = run;
    if ((times[GAP_END] ?? 0) <= now) this.#endGaps(watcher);
    if ((times[NEXT_OTHER] ?? 0) <= now) this.#changeOthers(watcher);
    const end_ts = run < te.length ? (te[run] ?? 0) : Infinity;
    times[NEXT] = Math.min(end_ts, times[GAP_END] ?? 0, times[NEXT_OTHER] ?? 0);
  }

  /** What begins or ends on CPUs besides runs. */
  #changeOthers(watcher: CpuWatcher): void {
    const { ts: starts, te: ends, cpu: on } = this.#interruptRows;
    const step = (row: number, by: 1 | -1) => {
      const cpu = on[row] ?? 0;
      this.#interrupts[cpu] = (this.#interrupts[cpu] ?? 0) + by;
      this.#enter(cpu, watcher);
    };
    const starts_ts = () => starts[this.#starts[this.#start] ?? -1] ?? Infinity;
    const ends_ts = () => ends[this.#ends[this.#end] ?? -1] ?? Infinity;
    for (; starts_ts() <= this.now; this.#start++) step(this.#starts[this.#start] ?? 0, 1);
    for (; ends_ts() <= this.now; this.#end++) step(this.#ends[this.#end] ?? 0, -1);
    let change = this.#changes[this.#change];
    for (; change !== undefined && change.ts <= this.now; change = this.#changes[++this.#change]) {
      if (change.what === 'begin') this.#hasBegun[change.cpu] = 1;
      else this.#losses[change.cpu] = (this.#losses[change.cpu] ?? 0) + (change.what === 'lose' ? 1 : -1);
      this.#enter(change.cpu, watcher);
    }
    this.#times[NEXT_OTHER] = Math.min(starts_ts(), ends_ts(), change?.ts ?? Infinity);
  }

  /** Whether an idle run ended on a CPU at the time that was gone to. */
  wasIdleUntil(cpu: number, ts: number): boolean {
    return cpu >= 0 && cpu < this.#count && this.#idleEnd[cpu] === ts;
  }

  /** On CPUs on which nothing ran for a while runs begin. */
  #endGaps(watcher: CpuWatcher): void {
    const { now } = this;
    this.#times[GAP_END] = Infinity;
    for (let cpu = 0; cpu < this.#count; cpu++) {
      const end_ts = this.#gapEnd_ts[cpu] ?? Infinity;
      if (end_ts > now) {
        this.#gapsEndBy(end_ts);
        continue;
      }
      this.#gapEnd_ts[cpu] = Infinity;
      this.#run[cpu] = this.#comes[cpu] ?? NO_ROW;
      this.#enter(cpu, watcher);
    }
  }

  /** The runs that are on CPUs at a time, or come next. */
  #beginFirst(ts: number): void {
    const { ts: starts, te: ends } = this.#runs;
    let left = this.#count;
    for (let run = this.#row; run < ends.length && left > 0; run++) {
      const cpu = this.#links.cpu[run] ?? 0;
      const isFirst = this.#run[cpu] === NO_ROW && this.#gapEnd_ts[cpu] === Infinity;
      if (!isFirst || (starts[run] ?? 0) >= (ends[run] ?? 0)) continue;
      left--;
      if ((starts[run] ?? 0) <= ts) this.#run[cpu] = run;
      else this.#comeLater(cpu, run);
    }
  }

  /** The next run on a CPU begins when the one before ends, or later. */
  #beginNext(cpu: number, before: number): void {
    const { ts: starts, te: ends } = this.#runs;
    const now = ends[before] ?? 0;
    let run = this.#links.next[before] ?? NO_ROW;
    while (run !== NO_ROW && (ends[run] ?? 0) <= now) run = this.#links.next[run] ?? NO_ROW;
    const isOn = run !== NO_ROW && (starts[run] ?? 0) <= now;
    this.#run[cpu] = isOn ? run : NO_ROW;
    if (!isOn) this.#comeLater(cpu, run);
  }

  #comeLater(cpu: number, run: number): void {
    const start_ts = run === NO_ROW ? Infinity : (this.#runs.ts[run] ?? 0);
    this.#comes[cpu] = run;
    this.#gapEnd_ts[cpu] = start_ts;
    this.#gapsEndBy(start_ts);
  }

  /** The first gap ends at this time at the latest. */
  #gapsEndBy(ts: number): void {
    this.#times[GAP_END] = Math.min(this.#times[GAP_END] ?? 0, ts);
  }

  /** A CPU enters the state that what it does now makes; tells it if that is another one. */
  #enter(cpu: number, watcher: CpuWatcher): void {
    const before = this.state[cpu] ?? 0;
    const after = this.#stateNow(cpu);
    if (before === after) return;
    this.state[cpu] = after;
    if (isInterruptedIn(after)) this.interruptions[cpu]?.add(this.now, after);
    else if (isInterruptedIn(before)) this.interruptions[cpu]?.add(this.now, NOT_INTERRUPTED);
    watcher.change(cpu);
  }

  #stateNow(cpu: number): number {
    if ((this.#losses[cpu] ?? 0) > 0) return LOST_STATE;
    const run = this.#run[cpu] ?? NO_ROW;
    // Once a CPU had runs, it lacks events wherever it has no run.
    if (run === NO_ROW) return this.#hasBegun[cpu] === 1 ? LOST_STATE : MISSING_STATE;
    return FIRST_STATE + 2 * (this.#links.kind[run] ?? 0) + ((this.#interrupts[cpu] ?? 0) > 0 ? 1 : 0);
  }

  /** The interrupts that a stretch touches, by their ends. A threaded DPC is a thread's work. */
  #interruptsIn({ interrupts }: JudgedBy['history'], stretch: Span): Uint32Array {
    const { ts, te, cpu } = this.#interruptRows;
    const threaded = interrupts.numberOf('kind', 'threaded_dpc');
    const kinds = interrupts.column('kind');
    const found = new Uint32Array(interrupts.count);
    let count = 0;
    for (let row = 0; row < interrupts.count; row++) {
      const from = Math.max(ts[row] ?? 0, stretch.ts);
      const to = Math.min(te[row] ?? 0, stretch.te);
      if (to > from && (cpu[row] ?? 0) < this.#count && kinds[row] !== threaded) found[count++] = row;
    }
    return found.subarray(0, count);
  }
}

/** Whether a run is recorded in a state, and an interrupt keeps the CPU from it. */
function isInterruptedIn(state: number): boolean {
  return state > FIRST_STATE && (state & 1) !== (FIRST_STATE & 1);
}
