/** What Student's t with `df` degrees of freedom exceeds with a chance of `tail`, which is below a half. */
export function studentQuantile(tail: number, df: number): number {
  let [low, high] = [0, 1];
  while (upperTail(high, df) > tail && high < 1e12) high *= 2;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (upperTail(middle, df) > tail) low = middle;
    else high = middle;
  }
  return high;
}

/** The chance of more than `t`. */
function upperTail(t: number, df: number): number {
  return incompleteBeta(df / (df + t * t), df / 2, 0.5) / 2;
}

/** The regularised incomplete beta function, by its continued fraction (modified Lentz; NIST DLMF 8.17.22). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return (front * fraction(x, a, b)) / a;
  return 1 - (front * fraction(1 - x, b, a)) / b;
}

function fraction(x: number, a: number, b: number): number {
  const least = 1e-300;
  const apart = (value: number) => (Math.abs(value) < least ? least : value);
  let c = 1;
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1));
  let sum = d;
  for (let m = 1; m < 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / apart(1 + even * d);
    c = apart(1 + even / c);
    sum *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / apart(1 + odd * d);
    c = apart(1 + odd / c);
    sum *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return sum;
}

/** The logarithm of the gamma function, by Stirling's series (NIST DLMF 5.11.1) above 8, to which smaller ones are led. */
function logGamma(x: number): number {
  let [at, less] = [x, 0];
  for (; at < 8; at++) less += Math.log(at);
  const square = 1 / (at * at);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - less;
}
