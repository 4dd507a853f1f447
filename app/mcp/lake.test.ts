import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { beforeAll, expect, test } from 'vitest';
import { describeReal, temporaryFolder } from '../host/testing/real.ts';
import { ask, connect, rowsOf, textOf, writeLake } from './testing.ts';

const folder = temporaryFolder();
const allowed = join(folder, 'allowed');
const lake = join(folder, 'lake');

describeReal('the tool lake', () => {
  let client: Client;
  beforeAll(async () => {
    mkdirSync(allowed);
    await writeLake(
      lake,
      Array.from({ length: 8 }, (_, number) => ({
        number,
        build: number < 4 ? '1' : '2',
        waits_ns: [1000, number < 4 ? 2_000_000 : 40_000_000],
        isLossy: number === 0,
      })),
    );
    await writeLake(join(allowed, 'other'), [{ number: 1 }]);
    await writeLake(join(folder, 'secret'), [{ number: 1 }]);
    symlinkSync(join(folder, 'secret'), join(allowed, 'linked'));
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    client = await connect(folder, '--lake', lake, '--allow', allowed);
  });

  test('lists questions, tags and what the lake holds, and proposes calls that answer', async () => {
    const listed = await ask(client, 'lake');
    expect(listed.says[0]).toBe('«Traces in the lake: 8; those that lost events: 1.»');
    expect(rowsOf(listed, 'Questions').map(({ question }) => question)).toContain('«trend-by-build»');
    expect(rowsOf(listed, 'Tags of the traces')).toEqual([{ tag: '«build»', values: '«1, 2»', traces: 8 }]);
    expect(listed.next.map(({ tool }) => tool)).toEqual(['lake', 'lake']);
    for (const { tool, arguments: given } of listed.next) {
      const { next } = await ask(client, tool, given);
      for (const call of next)
        expect(await textOf(client, call.tool, call.arguments)).toMatchObject({ isError: false });
    }
  });

  test('answers a question with n, what is left out, and examples with links', async () => {
    const answer = await ask(client, 'lake', { question: 'trend-by-build', params: { quantile: 75 } });
    expect(rowsOf(answer, 'Ready waits, build by build')).toMatchObject([
      { value: '1', n: 3 },
      { value: '2', n: 4 },
    ]);
    expect(answer.left_out).toEqual(['«1 of 8 traces lost events: the question left-out tells which.»']);
    const [example] = rowsOf(answer, 'Examples of the rows, one of each first');
    expect(example).toMatchObject({
      row: 1,
      id: expect.stringMatching(/^«[0-9a-f]{16}»$/) as unknown,
      link: expect.stringMatching(/^«outrank:\/\/open#3\..*»$/) as unknown,
    });
    expect(answer.next).toEqual([
      { tool: 'lake', arguments: { question: 'left-out' }, why: 'what must be left out' },
    ]);
  });

  test('answers in SQL', async () => {
    const sql =
      'SELECT t.is_lossy, sum(w.waits)::INT AS waits FROM ready_wait w JOIN trace t USING (trace_id) GROUP BY ALL ORDER BY 1';
    const answer = await ask(client, 'lake', { sql });
    expect(answer.tables[0]?.rows).toEqual([
      [0, 14],
      [1, 2],
    ]);
    expect(answer.not_concluded[0]).toContain('it counts traces that lost events');
  });

  test.each([
    ["COPY (SELECT 1) TO 'x.csv'", 'Cannot access file'],
    [`COPY (SELECT 1) TO '${lake}/run/x.csv'`, 'it reads, and changes nothing'],
    [`EXPLAIN ANALYZE COPY (SELECT 1) TO '${lake}/run/x.csv'`, 'it reads, and changes nothing'],
    [`SELECT * FROM read_text('${folder}/secret.txt')`, 'Cannot access file'],
    [`SELECT * FROM read_csv('${folder}/secret.txt')`, 'Cannot access file'],
    [`SELECT * FROM read_parquet('${folder}/secret/run/*/*/*.parquet')`, 'Cannot access file'],
    [`SELECT * FROM read_text('${lake}/lake.json')`, 'Cannot access file'],
    [`SELECT * FROM glob('${folder}/*')`, 'Cannot access'],
    [`SELECT * FROM '${folder}/secret.txt'`, 'does not exist'],
    ["SELECT * FROM read_csv('http://127.0.0.1:1/x')", 'Cannot access file'],
    [`ATTACH '${folder}/x.db'`, 'it reads, and changes nothing'],
    ["ATTACH ':memory:' AS mine", 'it reads, and changes nothing'],
    ['INSTALL httpfs', 'it reads, and changes nothing'],
    ['SET enable_external_access = true', 'it reads, and changes nothing'],
    ['SELECT 1; SELECT 2', 'one statement is taken, not 2'],
    ['SELECT nope FROM tag', 'tag has trace_id, name, value, date'],
    ['SELECT * FROM range(1000000)', 'more than 100,000 rows'],
  ])('refuses %s', async (sql, why) => {
    const { text, isError } = await textOf(client, 'lake', { sql });
    expect({ text, isError }).toEqual({ text: expect.stringContaining(why) as unknown, isError: true });
  });

  test.each([
    [{ question: 'no-such' }, 'there is no such question: there are trend-by-build'],
    [{ question: 'left-out', params: { nope: 1 } }, 'this question takes'],
    [{ question: 'left-out', sql: 'SELECT 1' }, 'question or sql is taken, not both'],
    [{ lake: 'secret' }, 'no such lake may be asked: outrank mcp was started with lake, what lies in'],
    [{ lake: join(folder, 'secret') }, 'no such lake may be asked'],
    [{ lake: 'linked' }, 'no such lake may be asked'],
    [{ lake: 's3://bucket/lake' }, 'no such lake may be asked'],
    [{ lake: '../secret' }, 'no such lake may be asked'],
  ])('refuses %j', async (given, why) => {
    const { text, isError } = await textOf(client, 'lake', given);
    expect({ text, isError }).toEqual({ text: expect.stringContaining(why) as unknown, isError: true });
  });

  test('asks a lake in a folder that is allowed', async () => {
    expect((await ask(client, 'lake', { lake: 'other' })).says[0]).toBe(
      '«Traces in the lake: 1; those that lost events: 0.»',
    );
  });

  test('is ready again after a question was cancelled', async () => {
    const sql = 'SELECT count(*) FROM range(10000000) a, range(100000) b WHERE a.range % 7 = b.range % 11';
    const cancel = new AbortController();
    const call = client.callTool({ name: 'lake', arguments: { sql } }, undefined, { signal: cancel.signal });
    setTimeout(() => cancel.abort(), 1000);
    await expect(call).rejects.toThrow();
    expect((await ask(client, 'lake', { sql: 'SELECT 1 AS one' })).tables[0]?.rows).toEqual([[1]]);
  });
});
