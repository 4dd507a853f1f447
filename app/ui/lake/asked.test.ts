import { expect, test } from 'vitest';
import { readAsked, valuesOf, writeAsked } from './asked.ts';

const asked = {
  question: 'trend-by-build',
  params: { tag: 'build', quantile: 75 },
  filter: { model: '8 CPUs, 2600 MHz', os_build: 26100, from: '2026-01-02', tags: { lab: 'Oslo & Bergen' } },
  split: 'tag.build',
};

test('an address says what is asked, and is read as that', () => {
  const address = writeAsked(asked);
  expect(address).toBe(
    '#question=trend-by-build&param.tag=build&param.quantile=75&model=8+CPUs%2C+2600+MHz&os_build=26100&from=2026-01-02&tag.lab=Oslo+%26+Bergen&split=tag.build',
  );
  expect(readAsked(address, 'first')).toEqual({ ...asked, params: { tag: 'build', quantile: '75' } });
});

test('an address that says nothing, or nonsense, asks the first question of all traces', () => {
  const nothing = { question: 'first', params: {}, filter: {}, split: null };
  expect(readAsked('', 'first')).toEqual(nothing);
  expect(readAsked('#machine=%27;DROP&os_build=x', 'first')).toEqual(nothing);
});

test('texts of an address become values of params; what is none is left at its default', () => {
  const specs = {
    tag: { type: 'text', label: 'Tag', help: '', default: 'build' },
    quantile: { type: 'number', label: 'Quantile', help: '', default: 99, min: 0, max: 100 },
  } as const;
  expect(valuesOf(specs, { quantile: '75', tag: 'lab' })).toEqual({ quantile: 75, tag: 'lab' });
  expect(valuesOf(specs, { quantile: 'many', shade: 'dark' })).toEqual({ quantile: 99, tag: 'build' });
});
