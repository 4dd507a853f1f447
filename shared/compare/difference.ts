import { errorOfDifference, productOf, Resampler, type Estimate } from './bootstrap.ts';
import type { SideSums } from './gather.ts';
import { sumOf, type Units } from './units.ts';

/** How a figure of B differs from that of A. */
export interface Difference {
  /** The figure of A, for so long as a trace of B is. */
  readonly a: number;
  readonly b: number;
  /** `b` less `a`. */
  readonly delta: number;
  /** Standard error of `delta`, and its degrees of freedom; infinite where it cannot be told. */
  readonly error: number;
  readonly df: number;
  /** The error of the logarithm of `b / a`; infinite where one of them is 0. */
  readonly ratioError: number;
  /** In how many units there was something: of the side with fewer, if that has any. */
  readonly n: number;
}

/** Makes differences of what two sides hold. */
export class Differences {
  readonly a: Units;
  readonly b: Units;
  readonly resamplers: { readonly a: Resampler; readonly b: Resampler };

  constructor(a: Units, b: Units) {
    this.a = a;
    this.b = b;
    this.resamplers = {
      a: new Resampler(a.lengths, 1, a.areSure),
      b: new Resampler(b.lengths, 2, b.areSure),
    };
  }

  /** Of sums: those of A are for so long as a trace of B is. */
  ofSums(a: Float64Array, b: Float64Array): Difference {
    return difference(this.#sum('a', a), this.#sum('b', b), unitsOf(a, b));
  }

  /** Of waits: as many as B has are set against as long ones as A has, so that more waits alone are no difference. */
  ofWaits(a: SideSums, b: SideSums): Difference {
    const [countA, countB] = [sumOf(a.count), sumOf(b.count)];
    if (countA === 0 || countB === 0) return this.ofSums(a.ns, b.ns);
    const mean_ns = sumOf(a.ns) / countA;
    const many = this.#sum('b', b.count).value;
    const ofA = this.resamplers.a.estimate(
      (weights) => (productOf(weights, a.ns) / productOf(weights, a.count)) * many,
    );
    const more = this.#sum(
      'b',
      b.ns.map((ns, unit) => ns - (b.count[unit] ?? 0) * mean_ns),
    );
    return difference(ofA, { ...more, value: this.#sum('b', b.ns).value }, unitsOf(a.ns, b.ns));
  }

  /** A sum in so long a time as a trace of B is. */
  #sum(side: 'a' | 'b', values: Float64Array): Estimate {
    const { value, error, df } = this.resamplers[side].rate(values);
    const length_ns = this.b.traceLength_ns;
    return { value: value * length_ns, error: error * length_ns, df };
  }
}

function difference(a: Estimate, b: Estimate, n: number): Difference {
  const { error, df } = errorOfDifference(a, b);
  const isRatio = a.value > 0 && b.value > 0;
  return {
    a: a.value,
    b: b.value,
    delta: b.value - a.value,
    error,
    df,
    ratioError: isRatio ? Math.hypot(a.error / a.value, b.error / b.value) : Infinity,
    n,
  };
}

function unitsOf(a: Float64Array, b: Float64Array): number {
  const filled = (values: Float64Array) => values.reduce((count, value) => count + Number(value !== 0), 0);
  const [ofA, ofB] = [filled(a), filled(b)];
  return ofA === 0 || ofB === 0 ? Math.max(ofA, ofB) : Math.min(ofA, ofB);
}
