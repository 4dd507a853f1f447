import { expect, test } from 'vitest';
import type { Values } from './tables.ts';
import { storedFor, workedOut } from './worked-out.ts';

const numbers = (...values: number[]): Values => ({
  values: Float64Array.from(values),
  present: null,
  texts: null,
});

test('a length that is not there is the end less the beginning, an end the beginning and the length', () => {
  const run = (name: string) => ['ts', 'te', 'cpu'].includes(name);
  expect(storedFor(['ts', 'dur', 'cpu'], run)).toEqual(['ts', 'te', 'cpu']);
  expect(workedOut('dur', { ts: numbers(5, 8), te: numbers(9, 8) })).toEqual(numbers(4, 0));
  const interrupt = (name: string) => ['ts', 'dur', 'cpu'].includes(name);
  expect(storedFor(['te', 'cpu'], interrupt)).toEqual(['ts', 'dur', 'cpu']);
  expect(workedOut('te', { ts: numbers(5, 8), dur: numbers(4, 0) })).toEqual(numbers(9, 8));
});

test('columns that are there are read as they are', () => {
  expect(storedFor(['ts', 'dur', 'te'], () => true)).toEqual(['ts', 'dur', 'te']);
});
