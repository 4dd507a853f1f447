import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../shared/link/random.ts';
import { mutate } from '../../shared/link/testing.ts';
import { safeName } from './uploads.ts';

test('10 000 mutated names of uploads stay in their folder', () => {
  const random = randomNumbers(5);
  const seeds = [
    '../../etc/passwd',
    'C:\\Windows\\a.etl',
    'lock-screen.etl',
    '..',
    'a\0.etl',
    '\u202e.etl.😀',
  ];
  const folder = resolve('/uploads');
  const names = new Set<string>();
  for (let at = 0; at < 10_000; at++) {
    const name = safeName(mutate(Buffer.from(seeds[at % seeds.length] ?? ''), random).toString('utf8'));
    names.add(name);
    expect(dirname(resolve(join(folder, name)))).toBe(folder);
    expect(name).toMatch(/^[\p{L}\p{N} ._()+-]{1,100}$/u);
  }
  expect(names.size).toBeGreaterThan(1000);
});
