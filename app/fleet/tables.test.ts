import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LAKE_TABLES, TABLE_ORDER } from './tables.ts';

test('docs/lake.md has the tables as they are', () => {
  const script = fileURLToPath(new URL('../../scripts/lake-docs.mjs', import.meta.url));
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
});

test('the table that says which traces are whole is written last', () => {
  expect(TABLE_ORDER.at(-1)).toBe('trace');
  expect([...TABLE_ORDER].sort()).toEqual(Object.keys(LAKE_TABLES).sort());
});
