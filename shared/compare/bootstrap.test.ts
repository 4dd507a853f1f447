import { expect, test } from 'vitest';
import { errorOfDifference, reach, Resampler } from './bootstrap.ts';

const ones = (count: number) => new Float64Array(count).fill(1);

test('the error of a mean is that of the textbook', () => {
  const values = Float64Array.from({ length: 50 }, (_, at) => Math.sin(at * 12.9898) * 10);
  const mean = values.reduce((sum, value) => sum + value, 0) / 50;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 49;
  const { value, error, df } = new Resampler(ones(50), 1, true).rate(values);
  expect(value).toBeCloseTo(mean, 10);
  expect(df).toBe(49);
  // Four hundred resamples tell it to some percent.
  expect(error / Math.sqrt(variance / 50)).toBeGreaterThan(0.85);
  expect(error / Math.sqrt(variance / 50)).toBeLessThan(1.15);
});

test('it is the same each time, and other for the other side', () => {
  const values = Float64Array.from([1, 2, 4, 8]);
  const of = (stream: number) => new Resampler(ones(4), stream, true).rate(values).error;
  expect(of(1)).toBe(of(1));
  expect(of(1)).not.toBe(of(2));
});

test('what happened in one of many seconds is not sure, and of one second nothing is', () => {
  const [none, once, always] = [new Float64Array(20), new Float64Array(20), ones(20)];
  once[7] = 1;
  const estimate = (values: Float64Array) => new Resampler(ones(values.length), 1, true).rate(values);
  const isSure = (a: Float64Array, b: Float64Array) => {
    const [ofA, ofB] = [estimate(a), estimate(b)];
    return Math.abs(ofB.value - ofA.value) > reach(errorOfDifference(ofA, ofB), 10);
  };
  expect(isSure(none, once)).toBe(false);
  expect(isSure(none, always)).toBe(true);
  expect(isSure(new Float64Array(1), ones(1))).toBe(false);
});
