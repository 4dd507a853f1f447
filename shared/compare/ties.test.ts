import { expect, test } from 'vitest';
import type { Matched } from './match.ts';
import { textsInA } from './ties.ts';

const matched = (image: string, step: Matched['step']): Matched => ({
  name: image,
  image,
  step,
  a_count: 1,
  b_count: 1,
  a_names: [],
  b_names: [],
});

test('a tied process of B reads as it is called in A, wherever a text names it', () => {
  const inA = textsInA([{ a: 'old.exe', b: 'New.exe --fast' }], [matched('New.exe', 'tied')]);
  expect(inA('new.exe (tid 5, Worker)')).toBe('old.exe (tid 5, Worker)');
  expect(inA('woken by NEW.EXE')).toBe('woken by old.exe');
  expect(inA('renew.exe')).toBe('renew.exe');
  expect(inA('new.exe.config')).toBe('new.exe.config');
});

test('an image that an untied process of B has too stays as it is', () => {
  const processes = [matched('host.exe', 'tied'), matched('host.exe', 'command')];
  expect(textsInA([{ a: 'a.exe', b: 'host.exe -k' }], processes)('host.exe (pid 4)')).toBe(
    'host.exe (pid 4)',
  );
});
