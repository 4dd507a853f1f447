import { expect, test } from 'vitest';
import { fitGrowth } from './fit.ts';

/** 40 stretches of 50; the cost is off by up to `noise`, evenly and always in the same way, neighbours apart. */
const bins = (cost: (n: number) => number, noise = 0.05) =>
  Array.from({ length: 40 }, (_, index) => {
    const n = 25 + index * 50;
    const cost_ns = cost(n) * (1 + noise * Math.sin(index * 2.4));
    return { n, cost_ns, low_ns: cost_ns, high_ns: cost_ns };
  });

const fitted = (cost: (n: number) => number, noise?: number) => {
  const { order, base_ns, slope_ns } = fitGrowth(bins(cost, noise));
  return {
    order,
    base: Math.round(base_ns / 100),
    slope: Number(slope_ns.toPrecision(1)),
  };
};

test('the order of growth, with its coefficients, through noise', () => {
  expect(fitted(() => 50_000)).toEqual({ order: 'O(1)', base: 499, slope: 0 });
  expect(fitted((n) => 40_000 + 200 * n)).toMatchObject({ order: 'O(n)', slope: 200 });
  expect(fitted((n) => 40_000 + 0.3 * n * n)).toMatchObject({ order: 'O(n²)', slope: 0.3 });
});

test('a rise of less than a half is none', () => {
  expect(fitted((n) => 40_000 + 8 * n, 0)).toMatchObject({ order: 'O(1)' });
  expect(fitted((n) => 40_000 + 12 * n, 0)).toMatchObject({ order: 'O(n)' });
});

test('where noise hides growth, none is told', () => {
  const { order, exponent } = fitGrowth(bins((n) => 40_000 + 10 * n, 0.8));
  expect([order, exponent.low < 0, exponent.high > 0.2]).toEqual(['O(1)', true, true]);
});
