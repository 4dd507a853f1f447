import { exponentOf, type Exponent, type GrowthBin } from './exponent.ts';

/** How the cost of one grows with how many there were before it. */
export type Order = 'O(1)' | 'O(n)' | 'O(n²)';

/** The curve that fits the cost of one best: `base_ns + slope_ns · n^power`. */
export interface Fit {
  readonly order: Order;
  /** What the cost grows with over what was measured; where its interval holds 0, the order is O(1). */
  readonly exponent: Exponent;
  readonly base_ns: number;
  readonly slope_ns: number;
  readonly power: 0 | 1 | 2;
  /** The curve's value at the first stretch and at the last. */
  readonly first_ns: number;
  readonly last_ns: number;
}

const ORDERS: Readonly<Record<Fit['power'], Order>> = { 0: 'O(1)', 1: 'O(n)', 2: 'O(n²)' };
/** A curve that rises by less over all that was measured is taken for constant. */
const LEAST_RISE = 1.5;

interface Curve {
  readonly power: 0 | 1 | 2;
  readonly base: number;
  readonly slope: number;
  /** Mean squared error, as a part of the cost. */
  readonly error: number;
}

/**
 * The order of growth. It is O(1) where the interval of the exponent holds 0, and where the cost rises by less than a half;
 * otherwise it is that of the curves `base + slope · n` and `base + slope · n²` which is off least. The curves are fitted by
 * least squares of the relative error; neither base nor slope is negative.
 */
export function fitGrowth(bins: readonly GrowthBin[]): Fit {
  const [line, square] = [fitCurve(bins, 1), fitCurve(bins, 2)];
  const risen = line.error <= square.error ? line : square;
  const noise = bins.map(({ n, cost_ns }) => Math.log(Math.max(1, cost_ns) / Math.max(1, costAt(risen, n))));
  const exponent = exponentOf(bins, noise);
  const isFlat = exponent.low <= 0 || riseOf(risen, bins) < LEAST_RISE;
  const curve = isFlat ? fitCurve(bins, 0) : risen;
  return {
    order: ORDERS[curve.power],
    exponent,
    base_ns: Math.round(curve.base),
    slope_ns: Number(curve.slope.toPrecision(6)),
    power: curve.power,
    first_ns: Math.round(costAt(curve, bins[0]?.n ?? 0)),
    last_ns: Math.round(costAt(curve, bins.at(-1)?.n ?? 0)),
  };
}

/** The cost that a curve gives for the one after `n` others. */
export function costOf({ base_ns, slope_ns, power }: Fit, n: number): number {
  return costAt({ base: base_ns, slope: slope_ns, power }, n);
}

function costAt({ base, slope, power }: Pick<Curve, 'base' | 'slope' | 'power'>, n: number): number {
  return base + slope * n ** power;
}

function riseOf(curve: Curve, bins: readonly GrowthBin[]): number {
  return costAt(curve, bins.at(-1)?.n ?? 0) / Math.max(1, costAt(curve, bins[0]?.n ?? 0));
}

function fitCurve(bins: readonly GrowthBin[], power: 0 | 1 | 2): Curve {
  const points = bins.map(({ n, cost_ns }) => ({
    x: n ** power,
    y: cost_ns,
    weight: 1 / Math.max(1, cost_ns) ** 2,
  }));
  const total = sumOf(points, ({ weight }) => weight);
  const mean_x = sumOf(points, ({ x, weight }) => weight * x) / total;
  const mean_y = sumOf(points, ({ y, weight }) => weight * y) / total;
  const spread = sumOf(points, ({ x, weight }) => weight * (x - mean_x) ** 2);
  const shared = sumOf(points, ({ x, y, weight }) => weight * (x - mean_x) * (y - mean_y));
  let slope = power === 0 || spread === 0 ? 0 : Math.max(0, shared / spread);
  let base = mean_y - slope * mean_x;
  if (base < 0) {
    base = 0;
    slope =
      sumOf(points, ({ x, y, weight }) => weight * x * y) / sumOf(points, ({ x, weight }) => weight * x * x);
  }
  const error = sumOf(points, ({ x, y, weight }) => weight * (base + slope * x - y) ** 2) / points.length;
  return { power, base, slope, error };
}

function sumOf<T>(points: readonly T[], value: (point: T) => number): number {
  return points.reduce((sum, point) => sum + value(point), 0);
}
