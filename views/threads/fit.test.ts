import { expect, test } from 'vitest';
import { fitGrowth } from './fit.ts';

/** 40 stretches of 50; the cost is off by up to `noise`, evenly and always in the same way. */
const bins = (cost: (n: number) => number, noise = 0.05) =>
  Array.from({ length: 40 }, (_, index) => {
    const n = 25 + index * 50;
    const cost_ns = cost(n) * (1 + noise * Math.sin(index * 12.9898));
    return { n, cost_ns, low_ns: cost_ns, high_ns: cost_ns };
  });

const fitted = (cost: (n: number) => number, noise?: number) => {
  const { order, confidence, base_ns, slope_ns } = fitGrowth(bins(cost, noise));
  return {
    order,
    sure: confidence > 0.95,
    base: Math.round(base_ns / 100),
    slope: Number(slope_ns.toPrecision(1)),
  };
};

test('the order of growth, with its coefficients, through noise', () => {
  expect(fitted(() => 50_000)).toEqual({ order: 'O(1)', sure: true, base: 501, slope: 0 });
  expect(fitted((n) => 40_000 + 200 * n)).toMatchObject({ order: 'O(n)', sure: true, slope: 200 });
  expect(fitted((n) => 40_000 + 0.3 * n * n)).toMatchObject({ order: 'O(n²)', sure: true, slope: 0.3 });
});

test('a rise of less than a half is none', () => {
  expect(fitted((n) => 40_000 + 8 * n, 0)).toMatchObject({ order: 'O(1)', sure: true });
  expect(fitted((n) => 40_000 + 12 * n, 0)).toMatchObject({ order: 'O(n)', sure: true });
});

test('where noise hides the order, none is sure', () => {
  expect(fitted((n) => 40_000 + 100 * n, 0.6)).toMatchObject({ sure: false });
});
