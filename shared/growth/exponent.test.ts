import { expect, test } from 'vitest';
import { growthOf } from './growth.ts';

/** Numbers from 0 to 1 that are the same in each run (mulberry32, public domain). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Noise = (random: () => number) => number;
/** Of a tail so heavy that it has no variance: one in ten takes five times the middle, one in 1000 fifty times. */
const heavy: Noise = (random) => (1 - random()) ** (-1 / 1.5);
/** One in twenty stands for a pause of a hundred times the cost. */
const paused: Noise = (random) => (0.8 + 0.4 * random()) * (random() < 0.05 ? 100 : 1);

/** What is found in `count` creations. The creation after n others costs `50 µs · n^power`, times noise. */
function grown(power: number, noise: Noise, seed: number, count = 1000) {
  const random = randomFrom(seed);
  const times = new Float64Array(count);
  for (let n = 1; n < count; n++) times[n] = (times[n - 1] ?? 0) + 50_000 * n ** power * noise(random);
  const growth = growthOf(times, { start: 0, end: Infinity });
  if (growth === null) throw new Error('too few for growth');
  return growth.fit;
}

const RUNS = 400;

test.each([
  { power: 0, order: 'O(1)', name: 'heavy', noise: heavy },
  { power: 0, order: 'O(1)', name: 'paused', noise: paused },
  { power: 1, order: 'O(n)', name: 'heavy', noise: heavy },
  { power: 1, order: 'O(n)', name: 'paused', noise: paused },
  { power: 2, order: 'O(n²)', name: 'heavy', noise: heavy },
  { power: 2, order: 'O(n²)', name: 'paused', noise: paused },
])(
  'the interval holds the exponent $power in 9 of 10 runs, and the order is found, through $name noise',
  ({ power, order, noise }) => {
    const fits = Array.from({ length: RUNS }, (_, seed) => grown(power, noise, seed + 1));
    const held = fits.filter(({ exponent }) => exponent.low <= power && power <= exponent.high);
    expect(held.length / RUNS).toBeGreaterThanOrEqual(0.9);
    expect(fits.filter((fit) => fit.order === order).length / RUNS).toBeGreaterThanOrEqual(0.95);
  },
);

test('the interval holds the exponent in 9 of 10 runs of the shortest series that is looked at', () => {
  const fits = Array.from({ length: RUNS }, (_, seed) => grown(1, heavy, seed + 1, 64));
  const held = fits.filter(({ exponent }) => exponent.low <= 1 && 1 <= exponent.high);
  expect(held.length / RUNS).toBeGreaterThanOrEqual(0.9);
});

test('a walk of noise, in which neighbours are alike, is not taken for growth more than once in ten runs', () => {
  const walk = (): Noise => {
    let level = 0;
    return (random) => Math.exp((level = 0.995 * level + 0.05 * (random() - 0.5)));
  };
  const fits = Array.from({ length: RUNS }, (_, seed) => grown(0, walk(), seed + 1));
  expect(fits.filter(({ order }) => order !== 'O(1)').length / RUNS).toBeLessThanOrEqual(0.1);
});

test('without noise the interval is next to its value, and all is explained', () => {
  expect(grown(1, () => 1, 1).exponent).toEqual({ value: 1.0004, low: 0.9995, high: 1.0014, r2: 1 });
  expect(grown(0, () => 1, 1).exponent).toEqual({ value: 0, low: 0, high: 0, r2: 0 });
});
