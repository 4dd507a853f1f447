import { expect, test } from 'vitest';
import { binOf } from './bin-of.ts';

/** floor(100 log10 of a duration), 200 at least, by the logarithm. */
const byLogarithm = (dur_ns: number) =>
  Math.trunc(Math.log(Math.max(dur_ns, 100)) * 43.42944819032518 + 1e-9);

test('bins are hundredths of a decade from 100 ns on', () => {
  const durs_ns = [0, 99, 100, 102, 103, 999, 1_000, 1_000_000, 1_000_000_000, 2 ** 53];
  expect(durs_ns.map(binOf)).toEqual([200, 200, 200, 200, 201, 299, 300, 600, 900, 1595]);
});

test('each bin begins where the logarithm says', () => {
  const around = Array.from({ length: 1000 }, (_, bin) => Math.round(10 ** (2 + bin / 100)));
  const durs_ns = around.flatMap((edge) => [edge - 1, edge, edge + 1]);
  for (let dur_ns = 0; dur_ns < 5_000; dur_ns++) durs_ns.push(dur_ns);
  for (let power = 7; power < 40; power++) durs_ns.push(2 ** power - 1, 2 ** power, 2 ** power + 1);
  expect(durs_ns.map(binOf)).toEqual(durs_ns.map(byLogarithm));
});
