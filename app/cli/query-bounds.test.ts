import { beforeAll, expect, test } from 'vitest';
import { join } from 'node:path';
import { describeReal, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { outrankIn } from './testing.ts';

const ROWS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n';

describeReal('outrank query', () => {
  const folder = temporaryFolder();
  const outrank = outrankIn(folder);
  const query = async (sql: string, ...options: string[]) => {
    const { code, stdout, stderr } = await outrank('query', 'minimal.etl', '--sql', sql, ...options);
    return { code, lines: stdout.split('\n').length - 1, stderr };
  };
  beforeAll(() => {
    writeTrace(join(folder, 'minimal.etl'), 'minimal');
  });

  test.each([
    [
      'runs for too long',
      `${ROWS}) SELECT max(i) FROM n`,
      ['--max-seconds', '1'],
      'the query ran for longer than 1 s and was ended: --max-seconds changes the bound',
    ],
    [
      'gives too many rows',
      `${ROWS}) SELECT i FROM n`,
      ['--max-rows', '1000'],
      'the query gives more than 1,000 rows and was ended: --max-rows changes the bound',
    ],
    [
      'gives too much text',
      `${ROWS}) SELECT printf('%01000d', i) FROM n`,
      ['--max-bytes', '2MB'],
      'the answer is larger than 2.0 MB, and the query was ended: --max-bytes changes the bound',
    ],
  ])('ends one that %s, and says how to change that', async (_, sql, options, message) => {
    expect(await query(sql, ...options)).toEqual({ code: 1, lines: 0, stderr: `outrank: ${message}\n` });
  });

  test('lifts the bounds where it is asked to', async () => {
    const sql = `${ROWS} LIMIT 3000) SELECT i FROM n`;
    const lifted = ['--max-rows', '0', '--max-seconds', '0', '--max-bytes', '0B'];
    expect(await query(sql, ...lifted)).toEqual({ code: 0, lines: 3001, stderr: '' });
    expect((await query(sql, '--max-rows', '2999')).code).toBe(1);
    expect((await query(sql, '--max-rows', 'many')).stderr).toContain('--max-rows takes a number');
  });
});
