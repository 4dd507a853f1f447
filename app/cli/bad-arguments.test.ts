import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeLink, NO_LINK } from '../../shared/link/index.ts';
import { describeReal, places, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { printable } from './terminal.ts';
import { outrankIn } from './testing.ts';

describeReal('outrank', () => {
  const folder = temporaryFolder();
  const outrank = outrankIn(folder);
  beforeAll(() => {
    writeTrace(join(folder, 'minimal.etl'), 'minimal');
    writeFileSync(join(folder, 'empty.etl'), '');
    writeFileSync(join(folder, 'text.etl'), 'no recording');
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'tokens'), '[]');
    execFileSync('mkfifo', [join(folder, 'pipe.etl')]);
  });
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await outrank(...args);
    return [code, stdout, stderr.replaceAll(folder, '')];
  };

  test.each([
    ['open', 'folder', '/folder: not a file but a folder'],
    ['serve', 'folder', '/folder: not a file but a folder'],
    ['open', 'pipe.etl', '/pipe.etl: not a file but a pipe or a device'],
    ['findings', 'pipe.etl', '/pipe.etl: not a file but a pipe or a device'],
    ['info', 'pipe.etl', '/pipe.etl: not a file but a pipe or a device'],
    ['convert', 'folder', '/folder: not a file but a folder'],
    ['open', 'none.etl', '/none.etl: no such file'],
    ['info', 'none.etl', '/none.etl: no such file'],
    ['convert', 'none.etl', '/none.etl: no such file'],
    ['info', 'empty.etl', 'empty.etl: file is empty'],
    ['convert', 'empty.etl', 'empty.etl: file is empty'],
    ['findings', 'empty.etl', '/empty.etl: file is empty'],
    ['findings', 'minimal.etl/a.etl', '/minimal.etl/a.etl: a part of this path is a file, not a folder'],
  ])('%s %s is refused in words', async (command, path, message) => {
    expect(await said(command, path)).toEqual([2, '', `outrank: ${message}\n`]);
  });

  test('of a trace that was cut, convert tells what is lost as other commands do', async () => {
    const cut = join(folder, 'cut.etl');
    writeFileSync(cut, readFileSync(join(folder, 'minimal.etl')).subarray(0, 10_000));
    const [code, , told] = await said('convert', cut, '-o', 'cut.pftrace');
    expect([code, told]).toEqual(
      await said('query', cut, '--sql', 'SELECT 1').then(([is, , text]) => [is, text]),
    );
  });

  test('a name that is not UTF-8 is told as such', () => {
    const launcher = join(import.meta.dirname, 'outrank.mjs');
    // No other way to give a program such a name from here.
    const command = `cd '${folder}' && '${process.execPath}' '${launcher}' findings "$(printf 'caf\\351.etl')"`;
    const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect([status, stderr.replaceAll(folder, '')]).toEqual([
      2,
      'outrank: /caf\uFFFD.etl: no such file; a name that is not UTF-8 cannot be opened here: rename the file, or make a link to it (ln -s)\n',
    ]);
  });

  test.each([
    [
      ['findings', 'minimal.etl', '--rules', '-mine'],
      '--rules needs a value: outrank help findings says which; one that begins with - is written --rules=-…',
    ],
    [
      ['query', 'minimal.etl', '--sql'],
      '--sql needs a value: outrank help query says which; one that begins with - is written --sql=-…',
    ],
    [
      ['serve', 'minimal.etl', '--no-open=yes'],
      '--no-open takes no value: outrank help serve says what it does',
    ],
    [
      ['findings', '-mine.etl'],
      'no option "-m": outrank help findings lists them; a file whose name begins with - is written ./-name',
    ],
    [
      ['query', 'minimal.etl', '--sq', 'SELECT 1'],
      'no option "--sq": did you mean --sql? outrank help query lists them; a file whose name begins with - is written ./-name',
    ],
    [
      ['bundle', 'minimal.etl', '-o', 'none/story.outrank'],
      'none/story.outrank: cannot be written: there is no folder none',
    ],
    [['lake', 'show', 'none', '--no-open'], '/none: there is no lake: outrank lake add makes one'],
    [
      ['view', 'overview', 'minimal.etl', '--from', '9s'],
      '--from 9s is after the end of the trace, at 0.100000 s',
    ],
    [
      ['episodes', 'minimal.etl', '--from', '9s', '--to', '10s'],
      '--from 9s is after the end of the trace, at 0.100000 s',
    ],
    [
      ['explain', 'minimal.etl', '--thread', '1', '--from', '30', '--to', '50'],
      '--from takes a unit, such as 30s: a number without one is ns on the trace clock, which begins at 1000000000',
    ],
    [
      ['findings', 'minimal.etl', '--to', '5.5'],
      '--to takes a unit, such as 5.5s: a number without one is ns on the trace clock, which begins at 1000000000',
    ],
    [
      ['convert', 'minimal.etl', '-o', 'none.pftrace', '--from=5'],
      '--from takes a unit, such as 5s: a number without one is ns on the trace clock, which begins at 1000000000',
    ],
    [
      ['what-if', 'minimal.etl', '--process', 'LockApp.exe', '--half-driver', 'ndis.sys'],
      'No DPCs and interrupts were recorded: drivers are not known. Record with the kernel flags DPC and INTERRUPT (in WPR: the CPU profile).',
    ],
    [
      ['what-if', 'minimal.etl', '--process', 'LockApp', '--rank', '1'],
      'the trace has no process LockApp with threads: did you mean LockApp.exe?',
    ],
    [
      ['upload', 'minimal.etl', '--to', 'http://traces.example.com', '--yes'],
      'http://traces.example.com: is not encrypted: everybody on the way could read the trace and the token; --unencrypted agrees to that',
    ],
    [['query', 'minimal.etl', '--sql', ' '], '--sql holds no statement'],
    [
      ['export', 'minimal.etl', '--format', 'arrow', '-o', 'tokens'],
      'tokens: is a file: --format arrow writes a folder of tables',
    ],
    [['export', 'minimal.etl', '-o', 'folder'], 'folder: is a folder: --format pftrace writes a file'],
    [
      ['bundle', 'minimal.etl', '-o', 'story.outrank', '--until', '5'],
      '--until takes a unit, such as 5s: a number without one is ns on the trace clock, which begins at 1000000000',
    ],
    [['token', 'show'], 'token takes add, revoke or list: outrank help token'],
    [['token', 'revoke', 'ann', '--tokens', 'tokens'], 'tokens: there is no token of ann'],
    [
      ['token', 'list', '--tokens', 'empty.etl'],
      'empty.etl: not a file of tokens: expected [{ "name", "role", "hash" }, …]',
    ],
    [
      ['convert', 'minimal.etl', '--bad'],
      'no option "--bad": outrank help convert lists them; a file whose name begins with - is written ./-name',
    ],
    [['info', 'minimal.etl', '--format', 'xml'], '--format takes text, json, not "xml"'],
    [
      ['what-if', 'minimal.etl', '--process', 'LockApp.exe', '--rank', '256'],
      '--rank takes a number from 0 to 255, not "256"',
    ],
  ])('%j is told what it lacks', async (args, message) => {
    expect(await said(...args)).toEqual([1, '', `outrank: ${message}\n`]);
  });

  test.each([
    [['bundle', 'text.etl', '-o', 'text.outrank']],
    [['upload', 'text.etl', '--to', 'https://traces.example.com', '--token-file', 'tokens', '--yes']],
  ])('%j: what is no recording is not given away', async (args) => {
    const message = '/text.etl: not an ETL file: expected a buffer header at offset 0, found text';
    expect(await said(...args)).toEqual([2, '', `outrank: ${message}\n`]);
    expect(readdirSync(folder)).not.toContain('text.outrank');
  });

  test('a file whose name begins with - can be named all the same', async () => {
    copyFileSync(join(folder, 'minimal.etl'), join(folder, '-mine.etl'));
    mkdirSync(join(folder, '-rules'));
    writeFileSync(join(folder, '-rules', 'bad.sql'), '');
    const { code, stdout } = await outrank('findings', './-mine.etl', '--rules=-rules');
    expect([code, stdout.includes('bad.sql')]).toEqual([0, true]);
  });

  test('what a link is called does nothing to the terminal', async () => {
    const id = 'a'.repeat(64);
    const trace = { id, name: 'a\x1b[2J.etl', sizeBytes: 1 };
    const link = await makeLink({ ...NO_LINK, title: 'red \x1b[31m\x07', trace });
    const { stdout } = await outrank('link', 'read', link);
    expect(stdout).toContain('red \uFFFD[31m\uFFFD');
    expect(printable(stdout)).toBe(stdout);
  });

  test('a Perfetto trace opens where the cache cannot be written; that it is not kept is told', async () => {
    execFileSync(places.converter, [join(folder, 'minimal.etl'), '-o', join(folder, 'minimal.pftrace')]);
    writeFileSync(join(folder, 'file'), '');
    const { code, stdout, stderr } = await outrankIn(
      folder,
      'file/cache',
    )(...['query', 'minimal.pftrace', '--sql', 'SELECT 1 AS one', '--format', 'csv']);
    expect([code, stdout]).toEqual([0, 'one\r\n1\r\n']);
    expect(stderr).toMatch(/^outrank: not kept among the recent traces: ENOTDIR: not a directory.*\n$/);
    expect(existsSync(join(folder, 'file', 'cache'))).toBe(false);
    expect(readdirSync(folder)).toContain('minimal.pftrace');
  });
});
