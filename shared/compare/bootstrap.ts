import { studentQuantile } from './student.ts';

const RESAMPLES = 400;
/** Any number will do; it stays the same, so that a comparison does. */
const SEED = 0x6f757472;

/** A figure of one side, and how far it may be off. */
export interface Estimate {
  readonly value: number;
  /** Standard error; infinite where one unit alone tells it, or too much of it is missing. */
  readonly error: number;
  /** Degrees of freedom of that error. */
  readonly df: number;
}

/** Draws units of a side with replacement, many times, always the same ones. */
export class Resampler {
  /** How often each unit was drawn, of each resample. */
  readonly #draws: readonly Float64Array[];
  /** Each unit once. */
  readonly #all: Float64Array;
  readonly #lengths: Float64Array;
  /** How long all that was drawn is, of each resample. */
  readonly #drawnLengths: readonly number[];
  /** How many units tell how figures scatter. */
  readonly #units: number;

  /** Of units that are so long; `stream` tells the two sides of a comparison apart. What is not sure has infinite errors. */
  constructor(lengths: Float64Array, stream: number, isSure: boolean) {
    const units = lengths.length;
    this.#units = isSure ? units : 1;
    this.#all = new Float64Array(units).fill(1);
    this.#lengths = lengths;
    const random = generator(SEED + stream);
    // Of one unit all resamples are alike.
    this.#draws = Array.from({ length: this.#units < 2 ? 0 : RESAMPLES }, () => {
      const drawn = new Float64Array(units);
      for (let draw = 0; draw < units; draw++) {
        const at = Math.floor(random() * units);
        drawn[at] = (drawn[at] ?? 0) + 1;
      }
      return drawn;
    });
    this.#drawnLengths = this.#draws.map((drawn) => productOf(drawn, lengths));
  }

  /** The sum of a value of each unit, per ns. */
  rate(values: Float64Array): Estimate {
    const scatter = new Scatter(productOf(this.#all, values) / productOf(this.#all, this.#lengths));
    this.#draws.forEach((drawn, at) =>
      scatter.add(productOf(drawn, values) / (this.#drawnLengths[at] ?? NaN)),
    );
    return scatter.estimate(this.#units);
  }

  /** A figure of units that are counted so often each; how far it scatters from resample to resample is its error. */
  estimate(figure: (weights: Float64Array) => number): Estimate {
    const scatter = new Scatter(figure(this.#all));
    for (const drawn of this.#draws) scatter.add(figure(drawn));
    return scatter.estimate(this.#units);
  }

  /** Several figures at once, always as many, as {@link estimate} does. */
  estimates(figures: (weights: Float64Array) => readonly number[]): readonly Estimate[] {
    const scatters = figures(this.#all).map((value) => new Scatter(value));
    for (const drawn of this.#draws) {
      const values = figures(drawn);
      scatters.forEach((scatter, at) => scatter.add(values[at] ?? NaN));
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

/** The sum of the products of numbers at the same places. */
export function productOf(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < x.length; at++) sum += (x[at] ?? 0) * (y[at] ?? 0);
  return sum;
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
