import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const NAMES = ['overview', 'ready-latency', 'timeline', 'cpu-usage', 'cpu-sampled', 'io'];

test.each([
  ['overveiw', 'overview'],
  ['readylatency', 'ready-latency'],
  ['Ready', 'ready-latency'],
  ['time', 'timeline'],
  ['cpu', null],
  ['cpu_usgae', 'cpu-usage'],
  ['nonsense', null],
  ['', null],
  ['x', null],
])('"%s" is near to %s', (given, name) => {
  expect(nearestName(given, NAMES)).toBe(name);
});
