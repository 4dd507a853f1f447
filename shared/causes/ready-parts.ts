import {
  IDLE_WAKE_UP_MAX_NS,
  noUses,
  partAt,
  PREEMPTION_DELAY_MAX_NS,
  standingOf,
  STANDINGS,
  useOf,
  type CpuUse,
  type Held,
  type Part as ReadyPart,
  type Why,
} from '../why-late/index.ts';
import { filled, grown } from '../tables/index.ts';
import { wasSwappedOut, type Machine, type Wait } from '../why-late/columns/index.ts';
import type { History } from './history.ts';
import { countBelow, firstWhere, type RowNumbers } from './rows.ts';
import type { Span } from './stretches.ts';

/** A stretch of a ready wait, and why the thread did not run in it. */
export interface WhyPart extends Span {
  readonly why: Why;
}

/** What a wait is judged by besides runs and interrupts. */
export interface JudgedBy {
  readonly history: History;
  readonly machine: Machine;
  /** When events of each CPU are missing; they may overlap. */
  readonly losses: readonly (Span & { readonly cpu: number })[];
  /** Since when the runs of each CPU are recorded. */
  readonly first_run_ts: Float64Array;
}

/** So much before and after a stretch the CPUs are looked at: what is longer is no delay of a free CPU. */
export const AROUND_NS = IDLE_WAKE_UP_MAX_NS;

/** Why a thread did not run in the stretch `within` of its wait: stretches in the order of time that cover it. */
export function splitReady(by: JudgedBy, wait: Wait, within: Span): WhyPart[] {
  const looked = {
    ts: Math.max(wait.ts, within.ts - AROUND_NS),
    te: Math.min(wait.te, within.te + AROUND_NS),
  };
  const parts = sweep(by, wait, looked);
  const delay_ts = looked.te === wait.te ? delayStart(parts, wait, by) : wait.te;
  const free = freeWhy(by, wait);
  return parts.flatMap(({ ts, te, part }): WhyPart[] => {
    const from = Math.max(ts, within.ts);
    const to = Math.min(te, within.te);
    if (to <= from) return [];
    if (part !== 'free') return [{ ts: from, te: to, why: part }];
    if (free === 'swapped_out') return [{ ts: from, te: to, why: free }];
    // Stretches of a free CPU end at the switch-in or are of a whole: the delay begins with one of them.
    return [{ ts: from, te: to, why: ts >= delay_ts ? free : 'not_explained' }];
  });
}

/** Why a CPU that was free did not run the thread at once. */
function freeWhy({ history }: JudgedBy, wait: Wait): 'swapped_out' | 'idle_wake_up' | 'preemption_delay' {
  if (wasSwappedOut(wait) && wait.last_ready_ts === null) return 'swapped_out';
  const { runs } = history;
  const own = history.runsOn(wait.cpu ?? -1);
  const before = own[countBelow(own, runs.column('ts'), wait.te) - 1] ?? -1;
  const tookIdle = runs.column('te')[before] === wait.te && runs.column('utid')[before] === 0;
  return tookIdle ? 'idle_wake_up' : 'preemption_delay';
}

interface Swept extends Span {
  readonly part: ReadyPart;
}

/** Since when a CPU was free until it took the thread, but for less than a tick; the wait's end where that was too long for a delay. */
function delayStart(parts: readonly Swept[], wait: Wait, by: JudgedBy): number {
  if (wait.cpu === null) return wait.te;
  let start = wait.te;
  let free_ns = 0;
  for (let at = parts.length - 1; at >= 0; at--) {
    const { ts, te, part } = parts[at] ?? { ts: 0, te: 0, part: 'free' };
    if (part === 'free') {
      start = ts;
      free_ns += te - ts;
      // Times are whole ns: a tick of 279.4 ns may be one of 279.
    } else if (te - ts > by.machine.tick_ns - 1) break;
  }
  const why = freeWhy(by, wait);
  const longest = why === 'idle_wake_up' ? IDLE_WAKE_UP_MAX_NS : PREEMPTION_DELAY_MAX_NS;
  return free_ns <= longest ? start : wait.te;
}

/** What begins or ends: on a CPU, or for the thread, which has the place after the last CPU. */
const RUNS = 0;
const INTERRUPT = 5;
const LOSS = 6;
const BARRED = 7;
const KINDS = 8;
const HELD: readonly Held[] = ['asleep', 'frozen', 'swapped_out'];

/** Goes through a stretch of a wait from one change to the next. */
function sweep(by: JudgedBy, wait: Wait, looked: Span): Swept[] {
  const { machine, first_run_ts } = by;
  const cpus = cpusOf(machine, wait.cpu);
  const swept: { ts: number; te: number; part: ReadyPart }[] = [];
  let last: { ts: number; te: number; part: ReadyPart } | null = null;
  let at = looked.ts;
  const goTo = (next: number) => {
    const to = Math.min(looked.te, next);
    if (to <= at) return;
    const part = cpus.part();
    if (last?.part === part) last.te = to;
    else swept.push((last = { ts: at, te: to, part }));
    at = to;
  };
  const changes = changesIn(by, wait, looked);
  const places = machine.cpu_count + 1;
  const codes = 2 * places * KINDS;
  // Once a CPU had runs, it lacks events wherever it has no run.
  const begins: { readonly cpu: number; readonly ts: number }[] = [];
  for (let cpu = 0; cpu < first_run_ts.length; cpu++) {
    const ts = first_run_ts[cpu] ?? Infinity;
    if (looked.ts >= ts) cpus.begin(cpu);
    else if (ts < looked.te) begins.push({ cpu, ts });
  }
  if (begins.length > 1) begins.sort((a, b) => a.ts - b.ts);
  let begun = 0;
  for (const change of changes) {
    const since = Math.floor(change / codes);
    const ts = looked.ts + since;
    for (let next = begins[begun]; next !== undefined && next.ts <= ts; next = begins[++begun]) {
      goTo(next.ts);
      cpus.begin(next.cpu);
    }
    goTo(ts);
    const code = change - since * codes;
    const isStart = code >= places * KINDS;
    const of = isStart ? code - places * KINDS : code;
    cpus.change((of / KINDS) | 0, of % KINDS, isStart ? 1 : -1);
  }
  goTo(looked.te);
  return swept;
}

/** The changes of the stretch that is gone through: one at a time, so that one place holds all. */
let changes = new Float64Array(1 << 8);

/**
 * What begins and ends in a stretch of a wait, in the order of time; ends come first, so that a run takes over from the one before.
 * What is given is good until the next call.
 */
function changesIn({ history, machine, losses }: JudgedBy, wait: Wait, looked: Span): Float64Array {
  const places = machine.cpu_count + 1;
  const codes = 2 * places * KINDS;
  let count = 0;
  const add = (place: number, kind: number, ts: number, te: number) => {
    const from = Math.max(0, ts - looked.ts);
    const to = Math.min(te, looked.te) - looked.ts;
    if (to <= from || place >= places) return;
    if (count + 2 > changes.length) changes = grown(changes, new Float64Array(2 * changes.length));
    changes[count++] = from * codes + (places + place) * KINDS + kind;
    changes[count++] = to * codes + place * KINDS + kind;
  };
  const { runs, interrupts } = history;
  const [runTs, runTe, runRank] = [runs.column('ts'), runs.column('te'), runs.column('rank')];
  const [runUtid, runPriority] = [runs.column('utid'), runs.column('priority')];
  const [interruptTs, interruptTe] = [interrupts.column('ts'), history.interruptTe];
  for (let cpu = 0; cpu < machine.cpu_count; cpu++) {
    const own = history.runsOn(cpu);
    for (let at = runEndsOn(history, cpu).firstAfter(looked.ts); at < own.length; at++) {
      const run = own[at] ?? 0;
      const ts = runTs[run] ?? 0;
      if (ts >= looked.te) break;
      const rank = runRank[run] ?? NaN;
      const standing = standingOf(
        runUtid[run] ?? 0,
        Number.isNaN(rank) ? null : rank,
        runPriority[run] ?? 0,
        wait.rank,
        wait.priority,
      );
      add(cpu, RUNS + STANDINGS.indexOf(standing), ts, runTe[run] ?? 0);
    }
    if (interrupts.count === 0) continue;
    for (const row of history.interruptsIn(cpu, looked)) {
      if (interrupts.text('kind', row) === 'threaded_dpc') continue;
      add(cpu, INTERRUPT, interruptTs[row] ?? 0, interruptTe[row] ?? 0);
    }
  }
  for (const { cpu, ts, te } of losses) add(cpu, LOSS, ts, te);
  for (const { why, ts, te } of machine.holdsOf(wait)) add(machine.cpu_count, HELD.indexOf(why), ts, te);
  for (const { ts, te, cpus } of machine.boundsOf(wait))
    for (let cpu = 0; cpu < machine.cpu_count; cpu++) if (!cpus.has(cpu)) add(cpu, BARRED, ts, te);
  return changes.subarray(0, count).sort();
}

/** So many times are looked for before the ends of runs are put side by side. */
const LOOKS = 256;

/** When the runs of a CPU end: many waits look for a time among these. */
class RunEnds {
  readonly #own: Uint32Array;
  readonly #ends: RowNumbers;
  #sideBySide: Float64Array | null = null;
  #looks = 0;

  constructor(history: History, cpu: number) {
    [this.#own, this.#ends] = [history.runsOn(cpu), history.runs.column('te')];
  }

  /** The place of the first run that ends after a time. */
  firstAfter(ts: number): number {
    const [own, ends] = [this.#own, this.#ends];
    if (this.#sideBySide === null && ++this.#looks > LOOKS)
      this.#sideBySide = filled(new Float64Array(own.length), (at) => ends[own[at] ?? 0] ?? 0);
    const known = this.#sideBySide;
    return known === null
      ? firstWhere(own.length, (at) => (ends[own[at] ?? 0] ?? 0) > ts)
      : firstWhere(own.length, (at) => (known[at] ?? 0) > ts);
  }
}

const keptEnds = new WeakMap<History, RunEnds[]>();

function runEndsOn(history: History, cpu: number): RunEnds {
  const ofHistory = keptEnds.get(history) ?? [];
  keptEnds.set(history, ofHistory);
  return (ofHistory[cpu] ??= new RunEnds(history, cpu));
}

const USES = Object.keys(noUses()) as CpuUse[];
/** The number of the use of a CPU, by its standing and three flags, see {@link CpusAtOnce}. */
const USE_OF = Int8Array.from({ length: STANDINGS.length * 8 }, (_, at) =>
  USES.indexOf(
    useOf({
      standing: STANDINGS[at >> 3] ?? 'unknown',
      is_usable: (at & 4) !== 0,
      is_interrupted: (at & 2) !== 0,
      takes_it: (at & 1) !== 0,
    }),
  ),
);

const keptCpus = new WeakMap<Machine, CpusAtOnce>();

/** The CPUs of a machine before anything runs there, for a thread that one of them took; good until the next call. */
function cpusOf(machine: Machine, taking: number | null): CpusAtOnce {
  const cpus = keptCpus.get(machine) ?? new CpusAtOnce(machine.cpu_count);
  keptCpus.set(machine, cpus);
  cpus.reset(taking);
  return cpus;
}

/** What holds of the CPUs and of the thread at an instant. */
class CpusAtOnce {
  readonly #count: number;
  readonly #depths: Int32Array;
  readonly #hasBegun: Uint8Array;
  /** The number of the use of each CPU; -1 without a run. */
  readonly #uses: Int8Array;
  readonly #held = new Int32Array(HELD.length);
  #taking: number | null = null;
  readonly #counts = new Int32Array(USES.length);
  readonly #told = noUses();
  #missing = 0;
  #lost = 0;

  constructor(cpuCount: number) {
    this.#count = cpuCount;
    this.#depths = new Int32Array(cpuCount * KINDS);
    this.#hasBegun = new Uint8Array(cpuCount);
    this.#uses = new Int8Array(cpuCount);
  }

  reset(taking: number | null): void {
    this.#depths.fill(0);
    this.#hasBegun.fill(0);
    this.#uses.fill(-1);
    this.#held.fill(0);
    this.#counts.fill(0);
    [this.#taking, this.#missing, this.#lost] = [taking, this.#count, 0];
  }

  /** The runs of a CPU are recorded from now on. */
  begin(cpu: number): void {
    if (cpu >= this.#count) return;
    this.#countCpu(cpu, -1);
    this.#hasBegun[cpu] = 1;
    this.#countCpu(cpu, 1);
  }

  change(place: number, kind: number, step: 1 | -1): void {
    if (place === this.#count) {
      this.#held[kind] = (this.#held[kind] ?? 0) + step;
      return;
    }
    this.#countCpu(place, -1);
    const at = place * KINDS + kind;
    this.#depths[at] = (this.#depths[at] ?? 0) + step;
    this.#uses[place] = this.#useOf(place);
    this.#countCpu(place, 1);
  }

  part(): ReadyPart {
    let held: Held | null = null;
    for (let index = 0; index < HELD.length && held === null; index++)
      if ((this.#held[index] ?? 0) > 0) held = HELD[index] ?? null;
    const told = this.#told;
    for (let use = 0; use < USES.length; use++) told[USES[use] ?? 'unknown'] = this.#counts[use] ?? 0;
    return partAt(held, this.#lost > 0, told, this.#missing);
  }

  #depth(cpu: number, kind: number): number {
    return this.#depths[cpu * KINDS + kind] ?? 0;
  }

  /** Adds a CPU to the counts, or takes it from them. */
  #countCpu(cpu: number, step: 1 | -1): void {
    const use = this.#uses[cpu] ?? -1;
    const isLost = this.#depth(cpu, LOSS) > 0;
    if (use >= 0 && !isLost) this.#counts[use] = (this.#counts[use] ?? 0) + step;
    else if (this.#depth(cpu, BARRED) === 0) {
      this.#missing += step;
      if (isLost || this.#hasBegun[cpu] === 1) this.#lost += step;
    }
  }

  #useOf(cpu: number): number {
    for (let kind = 0; kind < STANDINGS.length; kind++) {
      if (this.#depth(cpu, RUNS + kind) <= 0) continue;
      const usable = this.#depth(cpu, BARRED) === 0 ? 4 : 0;
      const interrupted = this.#depth(cpu, INTERRUPT) > 0 ? 2 : 0;
      return USE_OF[kind * 8 + usable + interrupted + (cpu === this.#taking ? 1 : 0)] ?? -1;
    }
    return -1;
  }
}
