import type { Fit, GrowthBin, Order } from './model.ts';

const ORDERS: readonly Order[] = ['O(1)', 'O(n)', 'O(n²)'];
/** A curve that rises by less over all that was measured is taken for constant. */
const LEAST_RISE = 1.5;
/** Costs are not told apart more finely than by this part: clocks, caches and interrupts see to that. */
const RESOLUTION = 0.02;

interface Curve {
  readonly power: 0 | 1 | 2;
  readonly base: number;
  readonly slope: number;
  /** Mean squared error, as a part of the cost. */
  readonly error: number;
}

/**
 * Fits `base + slope · n^power` for each power to the costs, by least squares of the relative error, and weighs the curves
 * against each other by the Bayesian criterion. Neither base nor slope is negative.
 */
export function fitGrowth(bins: readonly GrowthBin[]): Fit {
  const curves = ([0, 1, 2] as const).map((power) => fitCurve(bins, power));
  const scores = curves.map(
    ({ error, power }) =>
      bins.length * Math.log(error + RESOLUTION ** 2) + (power === 0 ? 1 : 2) * Math.log(bins.length),
  );
  const best = Math.min(...scores);
  const raw = scores.map((score) => Math.exp((best - score) / 2));
  const sum = raw.reduce((a, b) => a + b, 0);
  const weights = [0, 0, 0];
  curves.forEach((curve, index) => {
    const order = riseOf(curve, bins) < LEAST_RISE ? 0 : curve.power;
    weights[order] = (weights[order] ?? 0) + (raw[index] ?? 0) / sum;
  });
  const confidence = Math.max(...weights);
  const power = ([0, 1, 2] as const).find((at) => weights[at] === confidence) ?? 0;
  const curve = curves[power] ?? fitCurve(bins, 0);
  return {
    order: ORDERS[power] ?? 'O(1)',
    confidence: Math.round(confidence * 1e4) / 1e4,
    base_ns: Math.round(curve.base),
    slope_ns: Number(curve.slope.toPrecision(6)),
    power,
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
