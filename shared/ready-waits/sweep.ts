import {
  noParts,
  noUses,
  partAt,
  PARTS,
  useOf,
  type Held,
  type Part,
  type Standing,
  type WaitParts,
} from '../why-late/index.ts';
import type {
  Bound,
  CpuSpan,
  Hold,
  Machine as MachineFacts,
  RanRun,
  Windows,
} from '../why-late/columns/index.ts';
import type { ReadyWait } from './ready-wait.ts';

type Span = Pick<Hold, 'ts' | 'te'>;

/**
 * What the time of a CPU went to during a wait: a run, by how it stands to the thread that waited;
 * `interrupt`: DPCs and ISRs, whatever they interrupted;
 * `elsewhere`: anything on a CPU that the thread may not use;
 * `not_recorded`: what is not known.
 */
export type CpuTime = Standing | 'interrupt' | 'elsewhere' | 'not_recorded';

/** CPU time by what it went to, in ns: sums to the length of the wait times the CPUs. */
export type CpuTimes = Readonly<Record<CpuTime, number>>;

/** No CPU time yet. */
export const NO_CPU_TIME: CpuTimes = {
  better_rank: 0,
  priority: 0,
  behind: 0,
  idle: 0,
  interrupt: 0,
  elsewhere: 0,
  unknown: 0,
  not_recorded: 0,
};

/** What is known of the time of a wait. */
export interface Evidence {
  /** The runs on all CPUs, and how they stand to the thread that waited; must hold all that overlap a window. */
  readonly runs: readonly RanRun[];
  /** Stretches in which a CPU's events are missing. */
  readonly gaps: readonly CpuSpan[];
  /** DPCs and ISRs, those within another one among them; must hold all that overlap a window. */
  readonly interrupts: readonly CpuSpan[];
  /** When the thread could not run, whatever the CPUs did. */
  readonly held: readonly Hold[];
  /** When it could run on some CPUs only. */
  readonly bound: readonly Bound[];
}

/** A wait divided by what the CPUs did. */
export interface Swept {
  /** Sums to the length of the wait; scaled up from what the windows hold. */
  readonly parts: WaitParts;
  /** CPU time by what it went to, scaled up likewise. */
  readonly cpu_ns: CpuTimes;
  /** Length of the stretch with a free CPU that lasts to the end of the wait, but for less than a tick; 0 if there is none. */
  readonly final_ns: number;
}

/** Goes through a wait from one change to the next, and sums up what kept the thread from running. */
export function sweep(
  wait: Pick<ReadyWait, 'ts' | 'dur' | 'cpu'>,
  { cpu_count, tick_ns }: Pick<MachineFacts, 'cpu_count' | 'tick_ns'>,
  evidence: Evidence,
  windows: Windows,
): Swept {
  const end = wait.ts + wait.dur;
  const lookedAt = (from: number, to: number) =>
    seenBefore(end - from, windows) - seenBefore(end - to, windows);
  const machine = new Machine(cpu_count, wait.cpu);
  const parts = noParts();
  const cpu_ns = { ...NO_CPU_TIME };
  let at = wait.ts;
  let final_ns = 0;
  const goTo = (next: number) => {
    const to = Math.min(end, next);
    if (to <= at) return;
    const seen_ns = lookedAt(at, to);
    const part = machine.look((time) => (cpu_ns[time] += seen_ns));
    parts[part] += seen_ns;
    if (part === 'free') final_ns += to - at;
    // Times are whole ns: a tick of 279.4 ns may be one of 279.
    else if (to - at > tick_ns - 1) final_ns = 0;
    at = to;
  };
  for (const { ts, apply } of changesOf(evidence)) {
    goTo(ts);
    apply(machine);
  }
  goTo(end);
  return { ...scaledTo(wait.dur, cpu_count, parts, cpu_ns), final_ns };
}

/** How much of the last `before_end_ns` of a wait lies in windows. */
function seenBefore(before_end_ns: number, { period_ns, window_ns }: Windows): number {
  const whole = Math.floor(before_end_ns / period_ns);
  return whole * window_ns + Math.min(window_ns, before_end_ns - whole * period_ns);
}

/** What holds at an instant. */
class Machine {
  readonly #cpus: { standing: Standing | null; gaps: number; interrupts: number; is_usable: boolean }[];
  readonly #held: Record<Held, number> = { asleep: 0, frozen: 0, swapped_out: 0 };
  readonly #taking: number | null;

  constructor(cpuCount: number, taking: number | null) {
    this.#cpus = Array.from({ length: cpuCount }, () => ({
      standing: null,
      gaps: 0,
      interrupts: 0,
      is_usable: true,
    }));
    this.#taking = taking;
  }

  run(cpu: number, standing: Standing | null): void {
    const place = this.#cpus[cpu];
    if (place !== undefined) place.standing = standing;
  }

  interrupt(cpu: number, step: 1 | -1): void {
    const place = this.#cpus[cpu];
    if (place !== undefined) place.interrupts += step;
  }

  gap(cpu: number, step: 1 | -1): void {
    const place = this.#cpus[cpu];
    if (place !== undefined) place.gaps += step;
  }

  hold(why: Held, step: 1 | -1): void {
    this.#held[why] += step;
  }

  /** To these CPUs; null sets it free. */
  bind(cpus: ReadonlySet<number> | null): void {
    this.#cpus.forEach((place, cpu) => {
      place.is_usable = cpus === null || cpus.has(cpu);
    });
  }

  /** Which part of a wait this instant belongs to; tells what the time of each CPU goes to. */
  look(tell: (time: CpuTime) => void): Part {
    const counts = noUses();
    let missing = 0;
    let mayHaveRun = false;
    this.#cpus.forEach(({ standing, gaps, interrupts, is_usable }, cpu) => {
      const is_interrupted = interrupts > 0;
      if (standing === null || gaps > 0) {
        if (is_usable) missing++;
        if (is_usable && gaps > 0) mayHaveRun = true;
        tell('not_recorded');
        return;
      }
      counts[useOf({ standing, is_usable, is_interrupted, takes_it: cpu === this.#taking })]++;
      tell(is_usable ? (is_interrupted ? 'interrupt' : standing) : 'elsewhere');
    });
    const { asleep, frozen, swapped_out } = this.#held;
    const held = asleep > 0 ? 'asleep' : frozen > 0 ? 'frozen' : swapped_out > 0 ? 'swapped_out' : null;
    return partAt(held, mayHaveRun, counts, missing);
  }
}

interface Change {
  readonly ts: number;
  readonly apply: (machine: Machine) => void;
}

/** Starts and ends in order of time; ends come first, so that a run takes over from the one before. */
function changesOf({ runs, gaps, interrupts, held, bound }: Evidence): Change[] {
  const ends: Change[] = [];
  const starts: Change[] = [];
  const add = ({ ts, te }: Span, start: Change['apply'], end: Change['apply']) => {
    starts.push({ ts, apply: start });
    ends.push({ ts: te, apply: end });
  };
  for (const run of runs) {
    const { cpu, standing } = run;
    add(
      run,
      (machine) => machine.run(cpu, standing),
      (machine) => machine.run(cpu, null),
    );
  }
  const deepen = (span: Span, change: (machine: Machine, step: 1 | -1) => void) =>
    add(
      span,
      (machine) => change(machine, 1),
      (machine) => change(machine, -1),
    );
  for (const gap of gaps) deepen(gap, (machine, step) => machine.gap(gap.cpu, step));
  for (const one of interrupts) deepen(one, (machine, step) => machine.interrupt(one.cpu, step));
  for (const one of held) deepen(one, (machine, step) => machine.hold(one.why, step));
  for (const one of bound) {
    add(
      one,
      (machine) => machine.bind(one.cpus),
      (machine) => machine.bind(null),
    );
  }
  return [...ends, ...starts].sort((a, b) => a.ts - b.ts);
}

/** Parts in the same proportions that sum to `whole_ns` in whole ns; rounding goes to the largest. */
function scaledTo(
  whole_ns: number,
  cpuCount: number,
  parts: WaitParts,
  cpu_ns: CpuTimes,
): Pick<Swept, 'parts' | 'cpu_ns'> {
  const seen = sum(parts);
  if (seen === 0) {
    const nothing = { ...cpu_ns, not_recorded: whole_ns * cpuCount };
    return { parts: { ...parts, not_recorded: whole_ns }, cpu_ns: nothing };
  }
  const scaled = scaledBy(whole_ns / seen, parts);
  const largest = PARTS.reduce((most, name) => (scaled[name] > scaled[most] ? name : most));
  const over = sum(scaled) - whole_ns;
  return {
    parts: { ...scaled, [largest]: scaled[largest] - over },
    cpu_ns: scaledBy(whole_ns / seen, cpu_ns),
  };
}

function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, ns) => total + ns, 0);
}

function scaledBy<Name extends string>(
  factor: number,
  parts: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const scaled: Record<Name, number> = { ...parts };
  for (const name in scaled) scaled[name] = Math.round(scaled[name] * factor);
  return scaled;
}
