import type { Calls, Labels } from '../samples/index.ts';
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

/** The samples of the label `middle`, what calls it, and what it calls. `rows` is how many of each at most. */
export function callsAround(
  middle: number,
  { own, inclusive }: RunSums,
  runs: CallRuns,
  { caller, frame }: Calls,
  labels: Labels,
  places: LabelPlaces,
  rows: number,
): Omit<Butterfly, 'chosen'> & { readonly samples: number } {
  const [callers, callees] = [new LabelCounts(labels.count), new LabelCounts(labels.count)];
  const { of, isFrame } = labels;
  const labelOf = (call: number) => {
    const at = frame[call] ?? 0;
    return isFrame ? at : (of[at] ?? 0);
  };
  visitRuns(middle, runs, places, (run, goesOn) => {
    const samples = inclusive[run] ?? 0;
    if (samples === 0) return false;
    const end = runs.first[run + 1] ?? 0;
    let at = runs.first[run] ?? 0;
    if (!goesOn) {
      while (labelOf(at) !== middle) at++;
      const before = caller[at] ?? -1;
      callers.add(before < 0 ? NOBODY : labelOf(before), samples);
    }
    while (at < end && labelOf(at) === middle) at++;
    if (at < end) callees.add(labelOf(at), samples);
    else callees.add(NOBODY, own[run] ?? 0);
    return at === end;
  });
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
    callers: list(callers, 'nobody: outermost'),
    caller_count: callers.labels.length,
    callees: list(callees, 'itself'),
    callee_count: callees.labels.length,
  };
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
