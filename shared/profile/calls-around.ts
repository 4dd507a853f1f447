import type { Calls, Labels } from '../samples/index.ts';
import { grown } from '../tables/index.ts';
import type { CallRuns } from './call-runs.ts';
import type { LabelPlaces } from './label-places.ts';
import type { RunSums } from './sum-calls.ts';

/** A function, module or instruction. */
export interface FunctionSamples {
  readonly label: string;
  readonly module: string;
  /** Samples in itself. */
  readonly self: number;
  /** Samples in it or in what it called; a stack with it twice counts once. */
  readonly samples: number;
}

/** What a chosen function is called by, and calls. A recursive call is taken at its outermost. */
export interface Butterfly {
  readonly chosen: FunctionSamples;
  /** Most samples first, as those below. */
  readonly callers: readonly CallSamples[];
  /** How many there are in all. */
  readonly caller_count: number;
  readonly callees: readonly CallSamples[];
  readonly callee_count: number;
}

/** One caller or callee. */
export interface CallSamples {
  readonly label: string;
  readonly samples: number;
}

/** No label, such as that of who calls the outermost frame. */
const NOBODY = -1;

/** What is around a label, run by run, whoever is sampled. */
interface Around {
  readonly middle: number;
  /** Runs with an outermost call of it, and those that go on where one of these directly called itself; rising. */
  readonly runs: Int32Array;
  /** The label that calls it in each run; {@link GOES_ON} where it was called in a run before. */
  readonly callers: Int32Array;
  /** The label that it calls; {@link NOBODY} where the run ends in it. */
  readonly callees: Int32Array;
}

/** No caller: the call began in another run. */
const GOES_ON = -2;

const kept = new WeakMap<LabelPlaces, Around>();

/** The samples of the label `middle`, what calls it, and what it calls. `rows` is how many of each at most. */
export function callsAround(
  middle: number,
  sums: RunSums,
  runs: CallRuns,
  calls: Calls,
  labels: Labels,
  places: LabelPlaces,
  rows: number,
): Omit<Butterfly, 'chosen'> & { readonly samples: number } {
  const before = kept.get(places);
  const around = before?.middle === middle ? before : findAround(middle, runs, calls, labels, places);
  kept.set(places, around);
  const { callers, callees } = sumAround(around, sums, labels.count);
  const list = (counts: LabelCounts, nobody: string): CallSamples[] =>
    counts
      .mostFirst()
      .slice(0, rows)
      .map((label) => ({
        label: label === NOBODY ? nobody : labels.name(label),
        samples: counts.of(label),
      }));
  return {
    samples: callers.total(),
    callers: list(callers, 'none: outermost'),
    caller_count: callers.labels.length,
    callees: list(callees, 'itself'),
    callee_count: callees.labels.length,
  };
}

function sumAround(
  { runs, ...around }: Around,
  { own, inclusive }: RunSums,
  labelCount: number,
): { readonly callers: LabelCounts; readonly callees: LabelCounts } {
  const [callers, callees] = [new LabelCounts(labelCount), new LabelCounts(labelCount)];
  for (let at = 0; at < runs.length; at++) {
    const run = runs[at] ?? 0;
    const samples = inclusive[run] ?? 0;
    if (samples === 0) continue;
    const caller = around.callers[at] ?? 0;
    if (caller !== GOES_ON) callers.add(caller, samples);
    const callee = around.callees[at] ?? 0;
    callees.add(callee, callee === NOBODY ? (own[run] ?? 0) : samples);
  }
  return { callers, callees };
}

function findAround(
  middle: number,
  runs: CallRuns,
  { caller, frame }: Calls,
  { of, isFrame }: Labels,
  places: LabelPlaces,
): Around {
  const labelOf = (call: number) => {
    const at = frame[call] ?? 0;
    return isFrame ? at : (of[at] ?? 0);
  };
  const [found, callers, callees] = [new Grown(), new Grown(), new Grown()];
  visitRuns(middle, runs, places, (run, goesOn) => {
    const end = runs.first[run + 1] ?? 0;
    let at = runs.first[run] ?? 0;
    if (!goesOn) while (labelOf(at) !== middle) at++;
    const before = caller[at] ?? -1;
    found.add(run);
    callers.add(goesOn ? GOES_ON : before < 0 ? NOBODY : labelOf(before));
    while (at < end && labelOf(at) === middle) at++;
    callees.add(at < end ? labelOf(at) : NOBODY);
    return at === end;
  });
  return { middle, runs: found.all(), callers: callers.all(), callees: callees.all() };
}

/** Numbers that become more. */
class Grown {
  #numbers = new Int32Array(1024);
  #count = 0;

  add(number: number): void {
    if (this.#count === this.#numbers.length)
      this.#numbers = grown(this.#numbers, new Int32Array(2 * this.#count));
    this.#numbers[this.#count++] = number;
  }

  all(): Int32Array {
    return this.#numbers.slice(0, this.#count);
  }
}

/** Samples by label, and by {@link NOBODY}. */
class LabelCounts {
  /** Those with samples, in the order in which these were found. */
  readonly labels: number[] = [];
  readonly #counts: Int32Array;

  constructor(labelCount: number) {
    this.#counts = new Int32Array(labelCount + 1);
  }

  add(label: number, samples: number): void {
    if (samples === 0) return;
    const before = this.of(label);
    if (before === 0) this.labels.push(label);
    this.#counts[label + 1] = before + samples;
  }

  of(label: number): number {
    return this.#counts[label + 1] ?? 0;
  }

  total(): number {
    return this.labels.reduce((sum, label) => sum + this.of(label), 0);
  }

  mostFirst(): readonly number[] {
    return [...this.labels].sort((a, b) => this.of(b) - this.of(a));
  }
}

/**
 * Visits the runs with an outermost call of a label, and those that go on from such a run; `visit` tells whether a run ends in
 * it, or where it directly called itself from there.
 */
function visitRuns(
  label: number,
  { count, caller }: CallRuns,
  { first, runs, endOfOutermost }: LabelPlaces,
  visit: (run: number, goesOn: boolean) => boolean,
): void {
  let place = first[label] ?? 0;
  if (place === first[label + 1]) return;
  const end = endOfOutermost(label);
  const endsWithin = new Uint8Array(count);
  let isAnyWithin = false;
  for (let run = -1; ;) {
    const next = place < end ? (runs[place] ?? count) : count;
    run = isAnyWithin ? nextCalled(caller, endsWithin, run + 1, next) : next;
    if (run === count) return;
    if (run === next) place++;
    if (!visit(run, run !== next)) continue;
    endsWithin[run] = 1;
    isAnyWithin = true;
  }
}

/** The next run before `end` whose caller is marked; else `end`. A run comes after its caller. */
function nextCalled(caller: Int32Array, marks: Uint8Array, from: number, end: number): number {
  let run = from;
  for (; run < end; run++) {
    const by = caller[run] ?? -1;
    if (by >= 0 && marks[by] === 1) break;
  }
  return run;
}
