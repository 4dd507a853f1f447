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
  ['oi', null],
  ['tmieline', 'timeline'],
])('"%s" is near to %s', (given, name) => {
  expect(nearestName(given, NAMES)).toBe(name);
});

test('two letters that changed places are one mistake', () => {
  expect(nearestName('opne', ['open', 'info', 'view'])).toBe('open');
  expect(nearestName('veiw', ['open', 'info', 'view'])).toBe('view');
});
