import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeLink, NO_LINK } from '../../shared/link/index.ts';
import { describeReal, root, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { commands } from './commands.ts';
import { outrankIn } from './testing.ts';

const TRACE = 'minimal.etl';
const formats = readFileSync(join(root, 'docs', 'formats.md'), 'utf8');

/** Of each command that prints data: how it is asked for JSON, and a key of what it tells. */
const DATA: readonly (readonly [key: string, ...args: string[]])[] = [
  ['kinds', 'info', TRACE],
  ['findings', 'findings', TRACE],
  ['kinds', 'episodes', TRACE],
  ['delay', 'explain', TRACE, 'w-1'],
  ['rows', 'blame', TRACE],
  ['rows', 'blame', TRACE, '--by', 'service'],
  ['rows', 'blame', TRACE, '--by', 'driver'],
  ['rows', 'blame', TRACE, '--by', 'module'],
  ['rows', 'blame', TRACE, '--by', 'knot'],
  ['estimate_ns', 'what-if', TRACE, '--process', 'LockApp.exe', '--rank', '0'],
  ['changes', 'compare', TRACE, TRACE],
  ['modules', 'symbols', TRACE, '--path', '.'],
  ['views', 'views'],
  ['waits', 'view', 'ready-latency', TRACE],
  ['panels', 'panel', 'list'],
  ['rows', 'panel', 'render', 'longest-ready-wait', TRACE],
  ['questions', 'lake', 'questions'],
  ['rows', 'lake', 'ask', 'lake', 'left-out'],
  ['problems', 'lake', 'check', 'lake'],
];

/** Rows of SQL are one array: their shape is that of the SELECT. */
const ROWS: readonly (readonly string[])[] = [
  ['query', TRACE, '--sql', 'SELECT 1 AS one'],
  ['lake', 'query', 'lake', '--sql', 'SELECT 1 AS one'],
];

/** What prints no data: it opens, writes or serves something, or prints one line. */
const OTHERS = ['open', 'serve', 'upload', 'token', 'convert', 'export', 'bundle', 'mcp', 'update', 'guide'];

describeReal('JSON', () => {
  const folder = temporaryFolder();
  const outrank = outrankIn(folder);
  beforeAll(async () => {
    writeTrace(join(folder, TRACE), 'minimal');
    await outrank('lake', 'add', 'lake', TRACE);
  });

  test.each(DATA)('%s of outrank %s %s %s has a version, and is documented', async (key, ...args) => {
    const { code, stdout, stderr } = await outrank(...args, '--format', 'json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, [key]: expect.anything() as unknown });
    const [command = '', action] = args;
    const named = ['lake', 'panel'].includes(command) ? `${command} ${action ?? ''}` : command;
    expect(formats).toContain(`## ${named} --format json`);
  });

  test('so has that of a link', async () => {
    const link = await makeLink({ ...NO_LINK, title: 'Look' });
    const { code, stdout } = await outrank('link', 'read', link, '--format', 'json');
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ version: 1, title: 'Look' })]);
  });

  test.each(ROWS)('of outrank %s is an array of rows', async (...args) => {
    const { code, stdout } = await outrank(...args, '--format', 'json');
    expect([code, JSON.parse(stdout)]).toEqual([0, [{ one: 1 }]]);
  });

  test('every command is one of these', () => {
    const known = new Set([
      ...DATA.map(([, command]) => command),
      ...ROWS.map(([command]) => command),
      'link',
      ...OTHERS,
    ]);
    expect(commands.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  });
});
