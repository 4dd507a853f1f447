import { expect, test } from 'vitest';
import { readBound } from './bounds.ts';

test.each([
  ['ready.p99 > +20 %', { measure: 'ready', part: 'p99', image: null, sign: 1, limit: 0.2, is_ratio: true }],
  ['cpu(app.exe) > +0.5 s', { measure: 'cpu', part: null, image: 'app.exe', limit: 5e8, is_ratio: false }],
  ['ready.rank( My App.exe )>100ms', { part: 'rank', image: 'My App.exe', limit: 1e8 }],
  ['switches < -10 %', { measure: 'switches', sign: -1, limit: 0.1, is_ratio: true }],
  ['switches > +1000', { limit: 1000, is_ratio: false }],
])('%s is a bound', (text, expected) => {
  expect(readBound(text)).toMatchObject({ text, ...expected });
});

test.each([
  ['', '"" is no bound: one is "ready.p99 > +20 %"'],
  ['disk > +1 s', '"disk > +1 s" is no bound'],
  ['cpu > +1', 'the limit needs a unit: %, s, ms or us'],
  ['switches > +1 s', 'switches are counted: write a number or %'],
  ['ready.p98 > +1 %', 'ready has the parts p50, p90, p99, rank'],
  ['cpu.rank > +1 %', 'cpu has no parts'],
  ['cpu < +1 %', 'is no bound'],
])('%s is none', (text, message) => {
  expect(() => readBound(text)).toThrow(message);
});
