import type { Estimate, Resampler } from './bootstrap.ts';
import { middleOf, type Lengths } from './lengths.ts';
import { sumOf, type Units } from './units.ts';

/** The parts of all waits that a length is told of: half of them are no longer than p50. */
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

/** How long the waits of a side were: counts by class of length and unit. */
export class UnitLengths {
  readonly #classes = new Map<number, Float64Array>();
  readonly #units: Units;
  #longest_ns = 0;

  constructor(units: Units) {
    this.#units = units;
  }

  add(trace: number, { counts, longest }: Lengths): void {
    for (const [of, blocks] of counts) {
      const sums = this.#classes.get(of) ?? this.#units.none();
      this.#classes.set(of, sums);
      this.#units.add(sums, trace, blocks);
    }
    for (const ns of longest) if (ns > this.#longest_ns) this.#longest_ns = ns;
  }

  /** Adds what another process of the side has. */
  merge(other: UnitLengths): void {
    for (const [of, counts] of other.#classes) {
      const sums = this.#classes.get(of) ?? this.#units.none();
      this.#classes.set(of, sums);
      counts.forEach((count, unit) => (sums[unit] = (sums[unit] ?? 0) + count));
    }
    this.#longest_ns = Math.max(this.#longest_ns, other.longest_ns);
  }

  /** In how many units there are any. */
  get units(): number {
    const filled = new Set<number>();
    for (const counts of this.#classes.values())
      counts.forEach((count, unit) => {
        if (count > 0) filled.add(unit);
      });
    return filled.size;
  }

  /** How many waits of each class of length there are. */
  get counts(): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const [of, sums] of this.#classes) counts.set(of, sumOf(sums));
    return counts;
  }

  get longest_ns(): number {
    return this.#longest_ns;
  }

  /** How many waits there are. */
  get count(): number {
    let count = 0;
    for (const sums of this.#classes.values()) for (const of of sums) count += of;
    return count;
  }

  /** The logarithm of a quantile in ns, to half a class of length. */
  quantile(name: QuantileName, resampler: Resampler): Estimate {
    return this.quantiles([name], resampler)[0] ?? { value: NaN, error: Infinity, df: 1 };
  }

  /** Several of them at once. */
  quantiles(names: readonly QuantileName[], resampler: Resampler): readonly Estimate[] {
    const classes = [...this.#classes].sort(([a], [b]) => a - b);
    const middles = classes.map(([length]) => Math.log(Math.max(1, middleOf(length))));
    const width = classes.length;
    // Unit by unit: a resample leaves many out.
    const counts = new Float64Array(width * this.#units.count);
    classes.forEach(([, own], at) => own.forEach((count, unit) => (counts[unit * width + at] = count)));
    const weighted = new Float64Array(width);
    const figures = (weights: Float64Array) => {
      weighted.fill(0);
      for (let unit = 0; unit < weights.length; unit++) {
        const [weight, from] = [weights[unit] ?? 0, unit * width];
        if (weight === 0) continue;
        for (let at = 0; at < width; at++)
          weighted[at] = (weighted[at] ?? 0) + weight * (counts[from + at] ?? 0);
      }
      const all = sumOf(weighted);
      return names.map((name) => {
        // By nearest rank.
        let rest = Math.ceil(QUANTILES[name] * all - 1e-9);
        for (let at = 0; at < width; at++) {
          rest -= weighted[at] ?? 0;
          if (rest <= 0 && all > 0) return middles[at] ?? NaN;
        }
        return NaN;
      });
    };
    return resampler
      .estimates(figures)
      .map(({ error, ...estimate }) => ({ ...estimate, error: Math.max(error, HALF_A_CLASS) }));
  }
}

/** Within a class of length nothing is told apart. */
const HALF_A_CLASS = Math.log(2) / 16 / 2;
