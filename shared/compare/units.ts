import type { Measured } from './measure.ts';

/** A recording that lacks more than this part of its events at an unknown place shows nothing for sure. */
const MISSING_MAX = 0.01;

/** What an interval rests on: the blocks of one trace, or several traces. */
export class Units {
  readonly traces: readonly Measured[];
  /** The length of each in ns, without what is left out. */
  readonly lengths: Float64Array;
  readonly areTraces: boolean;
  /** False where each of the traces lacks too many events for anything to be sure. */
  readonly areSure: boolean;

  constructor(traces: readonly Measured[]) {
    const [only] = traces;
    this.traces = traces;
    this.areTraces = traces.length !== 1;
    this.areSure = traces.some(({ recorded }) => recorded.missing_part <= MISSING_MAX);
    this.lengths =
      traces.length === 1 && only !== undefined
        ? only.blocks
        : Float64Array.from(traces, ({ blocks }) => sumOf(blocks));
  }

  get count(): number {
    return this.lengths.length;
  }

  /** The mean length of a trace in ns. */
  get traceLength_ns(): number {
    return sumOf(this.lengths) / Math.max(1, this.traces.length);
  }

  /** Sums with nothing in them, one a unit. */
  none(): Float64Array {
    return new Float64Array(this.count);
  }

  /** Adds what the blocks of a trace hold: the values from `first` up to `end`. */
  add(sums: Float64Array, trace: number, values: Float64Array, first = 0, end = values.length): void {
    for (let at = first; at < end; at++) {
      const unit = this.areTraces ? trace : at - first;
      sums[unit] = (sums[unit] ?? 0) + (values[at] ?? 0);
    }
  }
}

/** The sum of some numbers. */
export function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index] ?? 0;
  return sum;
}

/** What sums of all traces of a side are multiplied by, to be for so long as a trace of B is. */
export function scaleOf(a: Units, b: Units): { readonly a: number; readonly b: number } {
  return { a: b.traceLength_ns / (a.traceLength_ns * a.traces.length), b: 1 / b.traces.length };
}
