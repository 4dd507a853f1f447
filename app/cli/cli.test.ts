import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { commands, help } from './commands.ts';
import { makeQuery } from '../../shared/engine/index.ts';
import { readRules, shippedRules } from '../../shared/findings/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { views } from '../../views/index.ts';
import { WHOLE } from '../host/part.ts';
import { summariseTrace } from '../host/trace-summary.ts';
import {
  describeReal,
  OUTRANK,
  places,
  root,
  startHost,
  temporaryFolder,
  writeTrace,
} from '../host/testing/real.ts';
import { NOTHING_TO_NAME } from '../host/symbols/report.ts';
import { ask, signIn } from '../server/testing.ts';
import { dataOf } from '../../shared/tables/index.ts';

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const folder = temporaryFolder();
const cacheDir = join(folder, 'cache');
const env = {
  ...process.env,
  OUTRANK_CACHE: cacheDir,
  XDG_CONFIG_HOME: folder,
  OUTRANK_CONVERTER: places.converter,
};

async function outrank(...args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [...OUTRANK, ...args], { env, cwd: folder });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

const VALUES = `SELECT 9007199254740993 AS big, 1.5 AS real, 'a,"b"' AS text, NULL AS missing, x'0102' AS bytes
  UNION ALL SELECT 2, 10, 'c', 4, NULL`;

describeReal('outrank', () => {
  const trace = join(folder, 'minimal.etl');
  beforeAll(() => {
    writeTrace(trace, 'minimal');
  });

  test.each([
    [
      'table',
      '             big  real  text   missing  bytes\n' +
        '9007199254740993   1.5  a,"b"        –  0102\n' +
        '               2    10  c            4  –\n',
    ],
    [
      'json',
      '[\n{"big":"9007199254740993","real":1.5,"text":"a,\\"b\\"","missing":null,"bytes":"0102"},\n' +
        '{"big":2,"real":10,"text":"c","missing":4,"bytes":null}\n]\n',
    ],
    ['csv', 'big,real,text,missing,bytes\r\n9007199254740993,1.5,"a,""b""",,0102\r\n2,10,c,4,\r\n'],
  ])('query prints a %s on stdout, and nothing else', async (format, stdout) => {
    expect(await outrank('query', 'minimal.etl', '--sql', VALUES, '--format', format)).toEqual({
      code: 0,
      stdout,
      stderr: '',
    });
  });

  test('symbols says why there is nothing to name', async () => {
    const { code, stdout } = await outrank('symbols', 'minimal.etl', '--path', '.');
    expect([code, stdout]).toEqual([0, `${NOTHING_TO_NAME}\n`]);
  });

  test('query takes its SQL from a file too', async () => {
    const sql = `SELECT t.process_name, w.rank, w.priority, w.ts, w.dur, w.ended
      FROM etw_ready_wait w JOIN etw_thread t USING (utid) ORDER BY w.dur DESC LIMIT 1`;
    writeFileSync(join(folder, 'longest.sql'), sql);
    const { stdout } = await outrank('query', 'minimal.etl', '--file', 'longest.sql', '--format', 'json');
    expect(JSON.parse(stdout)).toEqual([
      { process_name: 'LockApp.exe', rank: 2, priority: 14, ts: 1_030_000_000, dur: 40_000_000, ended: 1 },
    ]);
  });

  test('view prints the model that the view draws', async () => {
    const host = startHost(join(folder, 'own'));
    const { id } = await host.open(trace, {});
    const query = makeQuery((sql) => host.query(id, sql));
    const summary = await summariseTrace(dataOf(query).tables);
    const view = views.find(({ id }) => id === 'ready-latency');
    if (!view || !summary) throw new Error('no view, or no summary');
    const range = { start: summary.range.start, end: summary.range.start + 80_000_000 };
    const model = await view.load(query, readParams(view.params, { process: 'Lock' }), range);

    const { code, stdout } = await outrank(
      ...['view', view.id, trace, '--param', 'process=Lock', '--to', '80ms', '--format', 'json'],
    );
    expect(code).toBe(0);
    // The model comes with the detail of what params name. Here they name nothing.
    expect(JSON.parse(stdout)).toEqual(
      JSON.parse(JSON.stringify({ version: 1, ...(model as object), meanwhile: null })),
    );
    expect(stdout).toContain('LockApp.exe');
  });

  test('view prints its tables as Markdown', async () => {
    const { code, stdout } = await outrank('view', 'wake-chain', trace, '--format', 'markdown');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^# Wake chain\n\n## In short\n\n\| Sentence \|\n\| --- \|\n\| Most time went by while LockApp/,
    );
  });

  test('view draws a picture without a browser', async () => {
    const { code, stdout } = await outrank('view', 'ready-latency', trace, '--format', 'svg');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"[^]*Ready latency[^]*<\/svg>\n$/,
    );
  });

  test('findings prints what rules found, those of a folder too, and what was not checked', async () => {
    const rules = join(folder, 'rules');
    mkdirSync(rules);
    writeFileSync(join(rules, 'broken.sql'), '-- @title Broken\nSELECT 1');
    const text = await outrank('findings', trace, '--rules', rules);
    expect(text.code).toBe(0);
    expect(text.stdout).toMatch(/\nNot checked: Frozen while in focus. It needs the provider [^]+\n/);
    expect(text.stdout).toMatch(/\nRule that failed: broken.sql: the header has no @means\n$/);
    const json = await outrank('findings', trace, '--format', 'json');
    expect(Object.keys(JSON.parse(json.stdout) as object)).toEqual([
      'version',
      'findings',
      'stories',
      'checked',
      'not_checked',
      'failed',
    ]);
    const html = await outrank('findings', trace, '--format', 'html');
    expect(html.stdout).toMatch(
      /^<!DOCTYPE html>\n<html lang="en">[^]+Findings in minimal.etl[^]+<\/html>\n$/i,
    );
    expect(html.stdout).not.toContain('<script');
  });

  test('every proof of a shipped rule is a view with params that it takes', () => {
    const { rules } = readRules(shippedRules);
    const columns: Readonly<Record<string, string>> = {
      '{ts}': '1',
      '{exit_ts}': '1',
      '{tid}': '1',
      '{pid}': '1',
      '{series}': 'threads',
    };
    expect(rules.length).toBe(shippedRules.length);
    for (const { proof } of rules) {
      const view = views.find(({ id }) => id === proof.view);
      const filled = proof.params.map(([name, value]) => [name, columns[value] ?? value] as const);
      expect(() => readParams(view?.params ?? {}, Object.fromEntries(filled))).not.toThrow();
    }
  });

  test('convert is the converter itself; info adds what was not recorded', async () => {
    expect((await outrank('convert', trace, '-o', 'out.pftrace')).code).toBe(0);
    expect(existsSync(join(folder, 'out.pftrace'))).toBe(true);
    const { stdout } = await outrank('info', trace, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      recording: expect.arrayContaining([
        { id: 'switches', recorded: true },
        { id: 'ranks', recorded: null },
        { id: 'disk_io', recorded: false },
      ]) as unknown,
    });
    expect((await outrank('info', trace)).stdout).toContain(
      'Not recorded\n  Profile samples: which code ran\n      recorded by the kernel flag PROFILE (in WPR: the CPU profile)\n',
    );
    writeFileSync(join(folder, 'text.etl'), 'words');
    expect((await outrank('info', 'text.etl')).code).toBe(2);
  });

  test('a damaged trace is printed all the same, with exit code 3 and the loss on stderr', async () => {
    writeFileSync(join(folder, 'cut.etl'), readFileSync(trace).subarray(0, 20_000));
    const { code, stdout, stderr } = await outrank(
      'query',
      'cut.etl',
      '--sql',
      'SELECT 1 AS one',
      '--format',
      'csv',
    );
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'one\r\n1\r\n' });
    expect(stderr).toMatch(/^outrank: .+\n/);
  });

  test('an SQL error is told with its place', async () => {
    expect(await outrank('query', trace, '--sql', 'SELECT\n no_such FROM etw_trace')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'outrank: SQL line 2, column 2: no such column: no_such\n',
    });
  });

  test('a reader that has enough ends it in silence', async () => {
    const sql =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT i FROM n';
    const child = spawn(process.execPath, [...OUTRANK, 'query', trace, '--sql', sql, '--format', 'csv'], {
      env,
    });
    const stderr = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect((await once(child, 'close'))[0]).toBe(0);
    expect(await stderr).toBe('');
  });

  test('a view of what was not recorded says so in place of its tables', async () => {
    const sentence =
      'No profile samples were recorded: which code ran is not known. Record with the kernel flag PROFILE and stacks of Profile, CSwitch and ReadyThread (in WPR: the CPU profile).';
    const printed = { table: '', markdown: `# CPU usage, sampled\n\n${sentence}\n` };
    for (const [format, stdout] of Object.entries(printed)) {
      const done = await outrank('view', 'cpu-sampled', trace, '--format', format);
      expect(done).toEqual({ code: 0, stdout, stderr: `outrank: ${sentence}\n` });
    }
  });

  test('serve prints its address, serves, and clears up when it is interrupted', async () => {
    const child = spawn(process.execPath, [...OUTRANK, 'serve', trace, '--no-open'], { env });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const url = /^Outrank is at (http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43})$/.exec(line)?.[1] ?? '';
    const headers = { cookie: await signIn(url) };
    expect(JSON.parse((await ask(url, '/start.json', { headers })).body)).toEqual({
      path: trace,
      part: WHOLE,
      with: [],
    });
    child.kill('SIGINT');
    expect((await once(child, 'close'))[0]).toBe(0);
  });
});

test.each([
  [['nonsense'], 'no command "nonsense": outrank help lists them'],
  [['fnidings', 'a.etl'], 'no command "fnidings": did you mean findings? outrank help lists them'],
  [['help', 'nonsense'], 'no command "nonsense": outrank help lists them'],
  [['info'], 'TRACE is missing'],
  [['convert'], 'TRACE is missing'],
  [['info', '--format', 'json'], 'TRACE is missing'],
  [['query'], 'TRACE is missing'],
  [['query', 'a.etl', '--file', 'none.sql'], '--file: none.sql: no such file or folder'],
  [['view'], 'ID is missing: outrank views lists the views'],
  [['query', 'a.etl'], 'give either --sql or --file'],
  [['query', 'a.etl', 'b.etl', '--sql', ''], 'one TRACE is taken, not also b.etl'],
  [['query', 'a.etl', '--sql', '', '--format', 'xml'], '--format takes table, json, csv, not "xml"'],
  [['view', 'nonsense', 'a.etl'], `no view "nonsense": there are ${views.map(({ id }) => id).join(', ')}`],
  [
    ['view', 'ready-latency', 'a.etl', '--param', 'limit=no'],
    'parameter "limit" takes a number from 1 to 100000',
  ],
  [['view', 'ready-latency', 'a.etl', '--param', 'limit'], '--param takes NAME=VALUE, not "limit"'],
  [
    ['view', 'overveiw', 'a.etl'],
    `no view "overveiw": did you mean overview? there are ${views.map(({ id }) => id).join(', ')}`,
  ],
  [
    ['view', 'overview', 'a.etl', '--param', 'limits=3'],
    'unknown parameter "limits": did you mean limit? this view takes limit',
  ],
  [
    ['view', 'overview', 'a.etl', '--formt', 'json'],
    'no option "--formt": did you mean --format? outrank help view lists them; a file whose name begins with - is written ./-name',
  ],
  [['serve', '--port', '70000'], '--port takes a number from 0 to 65535, not "70000"'],
])('outrank %j is refused in one line', async (args, message) => {
  expect(await outrank(...args)).toEqual({ code: 1, stdout: '', stderr: `outrank: ${message}\n` });
});

test.each([['query', '--sql', 'SELECT 1'], ['open'], ['serve', '--no-open']])(
  'outrank %s names a file that is missing',
  async (command, ...rest) => {
    expect(await outrank(command, join(folder, 'none.etl'), ...rest)).toEqual({
      code: 2,
      stdout: '',
      stderr: `outrank: ${join(folder, 'none.etl')}: no such file\n`,
    });
  },
);

test('no line of the help is wider than a terminal, and none ends within brackets', () => {
  const lines = [undefined, ...commands.map(({ name }) => name)].flatMap((name) =>
    help(name).join('').split('\n'),
  );
  expect(lines.filter((line) => line.length > 126)).toEqual([]);
  const usages = help('query').join('').split('\n').slice(0, 4);
  expect(usages).toEqual([
    'outrank query TRACE (--sql SQL | --file FILE [--param NAME=VALUE]…) [--format table|json|csv] [--max-seconds N]',
    '    [--max-rows N] [--max-bytes SIZE] [--symbols PATH] [--with FILE]… [--from TIME] [--to TIME] [--only KINDS]',
    '    [--skip KINDS]',
    '  run SQL on a trace, or on a folder of exported tables, and print the rows of its last statement',
  ]);
});

test.each(commands.map(({ name }) => name))('what the help of %s says begins in one column', (name) => {
  const [, ...details] = help(name).join('').split('\n\n');
  const columns = details.map((lines) => [
    ...new Set(
      lines
        .split('\n')
        .map((line) => /^ *(?:\S+ )*\S+ {2,}(?=\S)|^ {8,}(?=\S)/.exec(line)?.[0].length)
        .filter((column) => column !== undefined),
    ),
  ]);
  expect(columns.filter(({ length }) => length > 1)).toEqual([]);
  expect(
    details
      .join('\n')
      .split('\n')
      .filter((line) => /^ {0,6}--\S+(?: [A-Z]\S*)? [a-z]\S* [a-z]/.test(line)),
  ).toEqual([]);
});

test('--version tells the version', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(await outrank('--version')).toEqual({ code: 0, stdout: `outrank ${version}\n`, stderr: '' });
});

test('help names every command', async () => {
  const { code, stdout } = await outrank('help');
  expect(code).toBe(0);
  const names = [...stdout.matchAll(/^ {2}outrank ([\w-]+)/gm)].map(([, name]) => name);
  expect(names).toEqual(
    'open serve upload token info convert export query findings episodes explain blame what-if compare symbols views view panel lake link bundle mcp update guide'.split(
      ' ',
    ),
  );
});
