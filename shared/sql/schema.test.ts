import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('docs/schema.md says what the comments in the SQL say', () => {
  const script = fileURLToPath(new URL('../../scripts/schema-docs.mjs', import.meta.url));
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
});
