import type { Calls, Labels } from '../samples/index.ts';
import type { CallRuns } from './call-runs.ts';
import type { CallLabels, RunSums } from './sum-calls.ts';

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
  { caller }: Calls,
  labels: Labels,
  { of, isInner }: CallLabels,
  rows: number,
): Omit<Butterfly, 'chosen'> & { readonly samples: number } {
  const callers = new Map<number, number>();
  const callees = new Map<number, number>();
  const add = (sums: Map<number, number>, label: number, samples: number) => {
    if (samples > 0) sums.set(label, (sums.get(label) ?? 0) + samples);
  };
  /** 1 for runs that end in an outermost call of the function, or where it directly called itself from there. */
  const endsWithin = new Uint8Array(runs.count);
  /** The next call of it, or beyond all. */
  const callFrom = (at: number) => {
    const found = of.indexOf(middle, at);
    return found === -1 ? of.length : found;
  };
  let next = callFrom(0);
  // A run comes after its caller.
  for (let run = 0; run < runs.count; run++) {
    const end = runs.first[run + 1] ?? 0;
    const by = runs.caller[run] ?? -1;
    let within = by >= 0 && endsWithin[by] === 1;
    if (!within && next >= end) continue;
    const from = within ? (runs.first[run] ?? 0) : next;
    if (next < end) next = callFrom(end);
    const samples = inclusive[run] ?? 0;
    if (samples === 0) continue;
    for (let at = from; at < end; at++) {
      const label = of[at] ?? 0;
      if (label === middle) {
        if (within || isInner(at)) continue;
        const before = caller[at] ?? -1;
        add(callers, before < 0 ? NOBODY : (of[before] ?? 0), samples);
        within = true;
      } else if (within) {
        add(callees, label, samples);
        within = false;
      }
    }
    if (!within) continue;
    endsWithin[run] = 1;
    add(callees, NOBODY, own[run] ?? 0);
  }
  const list = (sums: ReadonlyMap<number, number>, nobody: string): CallSamples[] =>
    [...sums]
      .sort(([, a], [, b]) => b - a)
      .slice(0, rows)
      .map(([label, count]) => ({ label: label === NOBODY ? nobody : labels.name(label), samples: count }));
  return {
    samples: [...callers.values()].reduce((sum, samples) => sum + samples, 0),
    callers: list(callers, 'nobody: outermost'),
    caller_count: callers.size,
    callees: list(callees, 'itself'),
    callee_count: callees.size,
  };
}
