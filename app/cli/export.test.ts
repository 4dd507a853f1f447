import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { tableFromIPC } from 'apache-arrow';
import { beforeAll, expect, test } from 'vitest';
import { CACHE_TABLES, TABLE_NAMES } from '../../shared/tables/index.ts';
import { describeReal, OUTRANK, places, temporaryFolder, writeTrace } from '../host/testing/real.ts';

const folder = temporaryFolder();
const env = { ...process.env, OUTRANK_CACHE: join(folder, 'cache'), OUTRANK_CONVERTER: places.converter };

async function outrank(...args: string[]) {
  const child = spawn(process.execPath, [...OUTRANK, ...args], { env, cwd: folder });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

describeReal('outrank export', () => {
  beforeAll(() => {
    writeTrace(join(folder, 'keys.etl'), 'attention');
  });

  test('tells what was found and what became of it, and writes no more than that', async () => {
    const { code, stdout, stderr } = await outrank('export', 'keys.etl', '-o', 'out.pftrace');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replace(/\d+(\.\d)? KiB|\d+(\.\d)? kB/, 'SIZE')).toBe(`out.pftrace: SIZE

kind           what is done  found  different  harmless  pseudonym  removed  kept
names          pseudonym         5          5         2          3        0     0
command-lines  remove            0          0         0          0        0     0
users          pseudonym         4          1         4          0        0     0
paths          pseudonym         1          1         0          1        0     0
titles         remove            0          0         0          0        0     0
keys           remove            2          2         0          0        2     0
hosts          pseudonym         0          0         0          0        0     0
providers      pseudonym         0          0         0          0        0     0
fields         remove            0          0         0          0        0     0

In the recording, not known to be harmless, for example:
  names
    browser.exe
    editor.exe
    game.exe
  paths
    C:\\Traces\\kernel.etl
  keys
    65
    A
`);
    const written = readFileSync(join(folder, 'out.pftrace'), 'latin1');
    expect(['editor.exe', 'kernel.etl', 'svchost.exe'].filter((name) => written.includes(name))).toEqual([
      'svchost.exe',
    ]);
  });

  test('a file that cannot be written is named, and is no fault of the trace', async () => {
    writeTrace(join(folder, 'good.etl'), 'minimal');
    const { code, stderr } = await outrank('export', 'good.etl', '-o', join('gone', 'x.pftrace'));
    expect(code).toBe(1);
    expect(stderr).toBe('outrank: gone/x.pftrace: cannot be written: there is no folder gone\n');
  });

  test('a dry run writes nothing and says what would stay readable', async () => {
    const { code, stdout } = await outrank('export', 'keys.etl', '--dry-run', '--redact', 'all,names=keep');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^The export would take /);
    expect(stdout).toMatch(
      /\n\nStays readable: names \(3\)\. Texts of one kind can hold those of another\.\n$/,
    );
    expect(existsSync(join(folder, 'keys.pftrace'))).toBe(false);
  });

  test.each(['arrow', 'parquet'])(
    'tables as %s are a file each, without what is taken out',
    async (format) => {
      const { code, stdout } = await outrank('export', 'keys.etl', '--format', format, '-o', format);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`^${format}: \\d`));
      const files = readdirSync(join(folder, format)).sort();
      expect(files).toEqual(
        TABLE_NAMES.filter((table) => !CACHE_TABLES.includes(table))
          .map((table) => `${table}.${format}`)
          .sort(),
      );
      const written = readFileSync(join(folder, format, `etw_process.${format}`), 'latin1');
      expect(['editor.exe', 'svchost.exe'].filter((name) => written.includes(name))).toEqual(['svchost.exe']);
    },
  );

  test('tables as a SQLite database are one file that SQLite reads', async () => {
    const { code, stdout } = await outrank('export', 'keys.etl', '--format', 'sqlite', '-o', 'keys.sqlite');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^keys\.sqlite: \d/);
    expect(readdirSync(folder).filter((name) => name.includes('keys.sqlite'))).toEqual(['keys.sqlite']);
    await outrank('export', 'keys.etl', '--format', 'arrow', '-o', 'keys-arrow');
    const runs = tableFromIPC(readFileSync(join(folder, 'keys-arrow', 'etw_run.arrow'))).numRows;
    const script = `
import sqlite3
database = sqlite3.connect('file:keys.sqlite?mode=ro', uri=True)
for sql in ['PRAGMA integrity_check', 'SELECT count(*) FROM etw_run', "SELECT count(*) FROM etw_process WHERE name = 'svchost.exe'"]:
    print(database.execute(sql).fetchone()[0])`;
    const printed = execFileSync('python3', ['-c', script], { cwd: folder, encoding: 'utf8' });
    expect(printed.trim().split('\n')).toEqual(['ok', String(runs), '1']);
  });

  test.each([
    [['keys.etl'], 1, '-o OUT is missing'],
    [['keys.etl', '-o', 'keys.etl'], 1, '-o names the trace itself'],
    [['keys.etl', '--dry-run', '-o', 'x'], 1, '--dry-run writes nothing: leave -o out'],
    [['keys.etl', '--dry-run', '--redact', 'path'], 1, '"path" is not all, none, or one of names,'],
    [['keys.etl', '--dry-run', '--process', 'word'], 1, '--process word: no process has that name or id'],
    [
      ['keys.etl', '--format', 'csv', '-o', 'x'],
      1,
      '--format is one of pftrace, arrow, parquet, sqlite, not csv',
    ],
    [['keys.etl', '--format', 'arrow', '--dry-run'], 1, '--dry-run goes with --format pftrace alone'],
    [
      ['keys.etl', '--format', 'arrow', '-o', 'x', '--from', '1s'],
      1,
      '--format arrow writes the whole trace',
    ],
    [['out.pftrace', '--dry-run'], 1, 'is converted already: export the .etl that it was made of'],
  ])('%j is refused in one line', async (args, code, message) => {
    const outcome = await outrank('export', ...args);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(message);
    expect(outcome.stderr.trim().split('\n')).toHaveLength(1);
  });
});
