import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outrank, run } from './support/outrank.ts';
import { demo, root, Scratch } from './support/places.ts';

const python = join(root, 'vendor', 'python');
const hasPackages = existsSync(join(python, '.installed'));
if (!hasPackages)
  console.warn(
    'SKIPPED: no DuckDB, pandas and polars in vendor/python; scripts/fetch-python.sh fetches them',
  );

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** The programs of a document, each with what it says that they print. */
function questionsOf(text: string): (readonly [title: string, program: string, printed: string])[] {
  const questions = text.matchAll(/\n([^\n]+):\n\n```python\n(.*?)```\n\n```text\n(.*?)```/gs);
  return [...questions].map(
    ([, title = '', program = '', printed = '']) => [title, program, printed] as const,
  );
}

describe.skipIf(!hasPackages)('docs/columns.md', () => {
  beforeAll(async () => {
    const tables = scratch.path('tables');
    const exported = ['export', demo.trace, '--format', 'parquet', '--redact', 'none', '-o', tables];
    expect((await outrank(scratch.folder, ...exported)).code).toBe(0);
  });

  const questions = questionsOf(readFileSync(join(root, 'docs', 'columns.md'), 'utf8'));

  test('asks three questions', () => {
    expect(questions).toHaveLength(3);
  });

  test.each(questions)('%s', async (_, program, printed) => {
    const ended = await run('python3', ['-c', program], { PYTHONPATH: python }, scratch.folder);
    expect(ended).toEqual({ code: 0, stdout: printed, stderr: '' });
  });
});
