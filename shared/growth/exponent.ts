/** Creations that follow one another, in a stretch of the series. */
export interface GrowthBin {
  /** How many there were before, in the middle of the stretch. */
  readonly n: number;
  /** Time from one to the next: the middle one, and the quarters below and above. */
  readonly cost_ns: number;
  readonly low_ns: number;
  readonly high_ns: number;
}

/** A power of the count. */
export interface Exponent {
  readonly value: number;
  /** The interval that holds the true one in 95 % of cases. */
  readonly low: number;
  readonly high: number;
  /** The part of the variance of the costs' logarithms that the power explains, 0 to 1. */
  readonly r2: number;
}

/** How far a normal value is from its mean in 95 % of cases, in standard deviations. */
const Z = 1.959964;
/** The most by which stretches that are like their neighbours may count less. */
const MOST_ALIKE = 0.95;
/** Less is no noise, but what calculating leaves. */
const ROUNDING = 1e-9;

/**
 * The exponent of the power of the count that the cost grows with, by least squares of the logarithms, and its interval of
 * 95 %. The interval holds where the errors of some stretches are larger than those of others (standard error HC3: MacKinnon
 * and White, J. of Econometrics 29, 1985), and where neighbours err alike (an autoregressive process of order 1): how much
 * they do is told by `noise`, the logarithms of the costs less those of the curve that fits best, which need not be a power.
 */
export function exponentOf(bins: readonly GrowthBin[], noise: readonly number[]): Exponent {
  const x = bins.map(({ n }) => Math.log(n));
  const y = bins.map(({ cost_ns }) => Math.log(Math.max(1, cost_ns)));
  const mean_x = meanOf(x);
  const mean_y = meanOf(y);
  const spread = sumOf(x, (each) => (each - mean_x) ** 2);
  const value = spread === 0 ? 0 : sumOf(x, (each, at) => (each - mean_x) * ((y[at] ?? 0) - mean_y)) / spread;
  const errors = x.map((each, at) => (y[at] ?? 0) - mean_y - value * (each - mean_x));
  const variance = sumOf(x, (each, at) => {
    const leverage = 1 / x.length + (each - mean_x) ** 2 / spread;
    return ((each - mean_x) * ((errors[at] ?? 0) / (1 - leverage))) ** 2;
  });
  const alike = Math.min(MOST_ALIKE, Math.max(0, likeness(noise)));
  const reach = quantile(x.length - 2) * Math.sqrt((variance / spread ** 2) * ((1 + alike) / (1 - alike)));
  const total = sumOf(y, (each) => (each - mean_y) ** 2);
  return {
    value: rounded(value),
    low: rounded(value - reach),
    high: rounded(value + reach),
    r2: total === 0 ? 0 : rounded(Math.max(0, 1 - sumOf(errors, (error) => error ** 2) / total)),
  };
}

/** How much the noise of one is like that of the one before, -1 to 1. */
function likeness(noise: readonly number[]): number {
  const all = sumOf(noise, (each) => each ** 2);
  return all < ROUNDING ** 2 * noise.length
    ? 0
    : sumOf(noise, (each, at) => each * (noise[at - 1] ?? 0)) / all;
}

/** Student's t for 95 %, by the expansion of Cornish and Fisher: off by less than 1 % from 5 degrees of freedom on. */
function quantile(degrees: number): number {
  const [z3, z5] = [Z ** 3, Z ** 5];
  return Z + (z3 + Z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * Z) / (96 * degrees ** 2);
}

function meanOf(values: readonly number[]): number {
  return sumOf(values, (value) => value) / values.length;
}

function sumOf(values: readonly number[], term: (value: number, at: number) => number): number {
  return values.reduce((sum, value, at) => sum + term(value, at), 0);
}

function rounded(value: number): number {
  // Without the sign of a zero.
  return Math.round(value * 1e4) / 1e4 + 0;
}
