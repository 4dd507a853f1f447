import { firstWhere } from '../causes/index.ts';
import { productOf, type Estimate, type Resampler } from './bootstrap.ts';
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

/** How long the waits of a side were. */
export class UnitLengths {
  readonly #parts: { readonly trace: number; readonly lengths: Lengths }[] = [];
  readonly #units: Units;
  #side: LengthSide | null = null;

  constructor(units: Units) {
    this.#units = units;
  }

  add(trace: number, lengths: Lengths): void {
    this.#side = null;
    this.#parts.push({ trace, lengths });
  }

  /** Adds what another process of the side has. */
  merge(other: UnitLengths): void {
    for (const { trace, lengths } of other.#parts) this.add(trace, lengths);
  }

  /** In how many units there are any. */
  get units(): number {
    const filled = new Set<number>();
    for (const [, counts] of this.#classes())
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
    let longest_ns = 0;
    for (const { lengths } of this.#parts) {
      for (const [of, counts] of lengths.counts) sums.set(of, (sums.get(of) ?? 0) + sumOf(counts));
      for (const ns of lengths.longest) longest_ns = Math.max(longest_ns, ns);
    }
    return lengthSide(sums, longest_ns);
  }

  /** How many waits of each class of length each unit has, the shortest class first. */
  #classes(): readonly (readonly [length: number, counts: Float64Array])[] {
    const classes = new Map<number, Float64Array>();
    for (const { trace, lengths } of this.#parts)
      for (const [of, counts] of lengths.counts) {
        const sums = classes.get(of) ?? this.#units.none();
        classes.set(of, sums);
        this.#units.add(sums, trace, counts);
      }
    return [...classes].sort(([a], [b]) => a - b);
  }

  /** The logarithm of a quantile in ns, to half a class of length. */
  quantile(name: QuantileName, resampler: Resampler): Estimate {
    return this.quantiles([name], resampler)[0] ?? { value: NaN, error: Infinity, df: 1 };
  }

  /** Several of them at once. */
  quantiles(names: readonly QuantileName[], resampler: Resampler): readonly Estimate[] {
    const classes = this.#classes();
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
