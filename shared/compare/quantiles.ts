import { firstWhere } from '../causes/index.ts';
import { productOf, type Estimate, type Resampler } from './bootstrap.ts';
import { middleOf, type Lengths } from './lengths.ts';
import { sumOf, type Units } from './units.ts';

/** The parts of all waits for which a length is given: half of the waits are no longer than p50. */
export const QUANTILES = { p50: 0.5, p90: 0.9, p99: 0.99 } as const;
export type QuantileName = keyof typeof QUANTILES;

/** Lengths of runs or waits of one side, in ns. */
export interface LengthSide {
  readonly n: number;
  readonly p50_ns: number;
  readonly p90_ns: number;
  readonly p99_ns: number;
  readonly max_ns: number;
}

/** What counts by class of length tell. */
export function lengthSide(counts: ReadonlyMap<number, number>, max_ns: number): LengthSide {
  const classes = [...counts].sort(([a], [b]) => a - b);
  const n = classes.reduce((sum, [, count]) => sum + count, 0);
  const of = (part: number) => {
    // By nearest rank.
    let rest = Math.ceil(part * n - 1e-9);
    for (const [length, count] of classes) {
      rest -= count;
      // The middle of the last class may lie beyond the longest.
      if (rest <= 0 && n > 0) return Math.min(max_ns, middleOf(length));
    }
    return 0;
  };
  const { p50, p90, p99 } = QUANTILES;
  return { n, p50_ns: of(p50), p90_ns: of(p90), p99_ns: of(p99), max_ns };
}

/** How long the waits of a side were. */
export class UnitLengths {
  /** How many waits of each class of length each unit has. */
  readonly #counts = new Map<number, Float64Array>();
  readonly #units: Units;
  #longest_ns = 0;
  #side: LengthSide | null = null;

  constructor(units: Units) {
    this.#units = units;
  }

  add(trace: number, lengths: Lengths): void {
    this.#side = null;
    const { classes, counts, longest } = lengths;
    for (let place = 0; place < classes.length; place++) {
      const first = place * longest.length;
      this.#units.add(this.#countsOf(classes[place] ?? 0), trace, counts, first, first + longest.length);
    }
    for (const ns of longest) this.#longest_ns = Math.max(this.#longest_ns, ns);
  }

  /** Adds what another process of the side has. */
  merge(other: UnitLengths): void {
    this.#side = null;
    for (const [of, counts] of other.#counts) {
      const sums = this.#countsOf(of);
      for (let unit = 0; unit < counts.length; unit++) sums[unit] = (sums[unit] ?? 0) + (counts[unit] ?? 0);
    }
    this.#longest_ns = Math.max(this.#longest_ns, other.#longest_ns);
  }

  /** In how many units there are any. */
  get units(): number {
    const filled = new Set<number>();
    for (const counts of this.#counts.values())
      counts.forEach((count, unit) => {
        if (count > 0) filled.add(unit);
      });
    return filled.size;
  }

  /** Those of all units together. Many rows of a process show them, so that they are kept. */
  get side(): LengthSide {
    return (this.#side ??= this.#together());
  }

  #together(): LengthSide {
    const sums = new Map<number, number>();
    for (const [of, counts] of this.#counts) sums.set(of, sumOf(counts));
    return lengthSide(sums, this.#longest_ns);
  }

  #countsOf(length: number): Float64Array {
    const counts = this.#counts.get(length) ?? this.#units.none();
    this.#counts.set(length, counts);
    return counts;
  }

  /** The logarithm of a quantile in ns, to half a class of length. */
  quantile(name: QuantileName, resampler: Resampler): Estimate {
    return this.quantiles([name], resampler)[0] ?? { value: NaN, error: Infinity, df: 1 };
  }

  /** Several of them at once. */
  quantiles(names: readonly QuantileName[], resampler: Resampler): readonly Estimate[] {
    const classes = [...this.#counts].sort(([a], [b]) => a - b);
    const middles = classes.map(([length]) => Math.log(Math.max(1, middleOf(length))));
    // How many waits of each unit are in a class or in a shorter one.
    const upTo: Float64Array[] = [];
    for (const [, own] of classes) upTo.push(own.map((count, unit) => count + (upTo.at(-1)?.[unit] ?? 0)));
    const figures = (weights: Float64Array) => {
      const weighted = (at: number) => productOf(upTo[at] ?? NO_UNITS, weights);
      const all = weighted(upTo.length - 1);
      return names.map((name) => {
        // By nearest rank.
        const rank = Math.ceil(QUANTILES[name] * all - 1e-9);
        return all > 0 ? (middles[firstWhere(upTo.length, (at) => weighted(at) >= rank)] ?? NaN) : NaN;
      });
    };
    return resampler
      .estimates(figures)
      .map(({ error, ...estimate }) => ({ ...estimate, error: Math.max(error, HALF_A_CLASS) }));
  }
}

const NO_UNITS = new Float64Array(0);
/** Within a class of length nothing is told apart. */
const HALF_A_CLASS = Math.log(2) / 16 / 2;

/** Those of no waits. */
export const NO_LENGTHS: LengthSide = lengthSide(new Map(), 0);
