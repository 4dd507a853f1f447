import { expect, test } from 'vitest';
import { studentQuantile } from './student.ts';

test.each([
  // The usual tables.
  [0.025, 1, 12.706],
  [0.025, 10, 2.2281],
  [0.05, 4, 2.1318],
  [0.025, 1e6, 1.96],
  [0.0005, 5, 6.8688],
])('of %d above, with %d degrees of freedom, lies %d', (tail, df, expected) => {
  expect(studentQuantile(tail, df)).toBeCloseTo(expected, 3);
});
