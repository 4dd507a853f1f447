import { studentQuantile } from './student.ts';

const RESAMPLES = 400;
/** Any number will do; it stays the same, so that a comparison does. */
const SEED = 0x6f757472;

/** A figure of one side, and how far it may be off. */
export interface Estimate {
  readonly value: number;
  /** Standard error; infinite where one unit alone tells it. */
  readonly error: number;
  /** Degrees of freedom of that error. */
  readonly df: number;
}

/** Draws units of a side with replacement, many times, always the same ones. */
export class Resampler {
  /** How often each unit was drawn: of each resample so many counts as there are units. */
  readonly #drawn: Float64Array;
  readonly #units: number;

  /** `stream` tells the two sides of a comparison apart. */
  constructor(units: number, stream: number) {
    this.#units = units;
    this.#drawn = new Float64Array(RESAMPLES * units);
    const random = generator(SEED + stream);
    for (let resample = 0; resample < RESAMPLES; resample++) {
      for (let draw = 0; draw < units; draw++) {
        const at = resample * units + Math.floor(random() * units);
        this.#drawn[at] = (this.#drawn[at] ?? 0) + 1;
      }
    }
  }

  /** A figure of units that are counted so often each; how far it scatters from resample to resample is its error. */
  estimate(figure: (weights: Float64Array) => number): Estimate {
    const [estimate] = this.estimates((weights) => [figure(weights)]);
    return estimate ?? { value: NaN, error: Infinity, df: 1 };
  }

  /** Several figures at once, always as many, as {@link estimate} does. */
  estimates(figures: (weights: Float64Array) => readonly number[]): readonly Estimate[] {
    const scatters = figures(new Float64Array(this.#units).fill(1)).map((value) => new Scatter(value));
    for (let resample = 0; this.#units >= 2 && resample < RESAMPLES; resample++) {
      const drawn = figures(this.#drawn.subarray(resample * this.#units, (resample + 1) * this.#units));
      scatters.forEach((scatter, at) => scatter.add(drawn[at] ?? NaN));
    }
    return scatters.map((scatter) => scatter.estimate(this.#units));
  }
}

/** How far a figure scatters around its value. */
class Scatter {
  readonly #value: number;
  #sum = 0;
  #squares = 0;
  #count = 0;

  constructor(value: number) {
    this.#value = value;
  }

  add(drawn: number): void {
    if (!Number.isFinite(drawn)) return;
    this.#sum += drawn - this.#value;
    this.#squares += (drawn - this.#value) ** 2;
    this.#count++;
  }

  estimate(units: number): Estimate {
    if (units < 2) return { value: this.#value, error: Infinity, df: 1 };
    const mean = this.#sum / this.#count;
    const variance = this.#count < 2 ? Infinity : Math.max(0, this.#squares / this.#count - mean ** 2);
    // Resamples scatter less than what they are drawn from, by one unit.
    return { value: this.#value, error: Math.sqrt((variance * units) / (units - 1)), df: units - 1 };
  }
}

/** A sum per ns of the units that are counted so often. */
export function rateOf(values: Float64Array, lengths: Float64Array): (weights: Float64Array) => number {
  return (weights) => {
    let [sum, length] = [0, 0];
    for (let unit = 0; unit < weights.length; unit++) {
      const weight = weights[unit] ?? 0;
      sum += weight * (values[unit] ?? 0);
      length += weight * (lengths[unit] ?? 0);
    }
    return sum / length;
  };
}

/** The error of `b` less `a`, and its degrees of freedom, by Welch and Satterthwaite. */
export function errorOfDifference(a: Estimate, b: Estimate): { readonly error: number; readonly df: number } {
  const error = Math.hypot(a.error, b.error);
  if (error === 0 || !Number.isFinite(error)) return { error, df: 1 };
  const df = 1 / ((a.error / error) ** 4 / a.df + (b.error / error) ** 4 / b.df);
  return { error, df };
}

/** How far to both sides of a figure its interval reaches, if `many` of them are to hold together in 95 of 100 comparisons. */
export function reach({ error, df }: { readonly error: number; readonly df: number }, many: number): number {
  if (error === 0) return 0;
  return error * studentQuantile(0.025 / Math.max(1, many), df);
}

/** A small generator of random numbers, from 0 to 1: SplitMix32 (public domain). */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
