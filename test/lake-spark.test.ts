import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from './support/outrank.ts';
import { root } from './support/places.ts';

/** What a trial of the jobs needs that `scripts/setup.sh --for-tests` could not install; empty where all is there. */
const missing = [
  ...(existsSync(join(root, 'vendor', 'spark', '.installed')) ? [] : ['vendor/spark']),
  ...(spawnSync('java', ['-version']).status === 0 ? [] : ['Java']),
];
if (missing.length > 0)
  console.warn(`SKIPPED: the jobs on Spark, since ${missing.join(' and ')} are missing`);

test.skipIf(missing.length > 0)(
  'Spark fills a lake with the rows of outrank lake add, though an executor is killed half-way, and answers a question alike',
  async () => {
    const trial = join(root, 'app', 'fleet', 'spark', 'try_spark.py');
    const { code, stdout } = await run('python3', [trial, '8', '--question', 'trend-by-build']);
    expect(stdout).toMatch(
      /executor \d+ was killed when [4-7] traces were listed; 8 added, 0 damaged, 1 left out, 0 failed/,
    );
    expect(stdout).toMatch(/\d+ rows in \d+ tables of 8 traces: equal/);
    expect(stdout).toMatch(/trend-by-build: [1-9]\d* rows, equal/);
    expect(code).toBe(0);
  },
  // It starts five Java programs, one after another.
  300_000,
);
