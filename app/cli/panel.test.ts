import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { describeReal, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { shippedPanels } from '../../panels/index.ts';
import { outrankIn } from './testing.ts';

const folder = temporaryFolder();
const outrank = outrankIn(folder);

const PANEL = `-- @title Runs by process
-- @description How long threads of each process ran.
-- @param top number = 10: How many are shown.
-- @draw bars name=process value=ran_ns

SELECT t.process_name AS process, sum(r.dur) AS ran_ns
FROM etw_run AS r JOIN etw_thread AS t USING (utid)
GROUP BY process ORDER BY ran_ns DESC, process LIMIT :top;
`;

describeReal('panels on the command line', () => {
  beforeAll(() => {
    writeTrace(join(folder, 'minimal.etl'), 'minimal');
    writeFileSync(join(folder, 'runs.panel.sql'), PANEL);
    writeFileSync(join(folder, 'faulty.panel.sql'), PANEL.replace('r.dur', 'r.drr'));
    writeFileSync(join(folder, 'pie.panel.sql'), PANEL.replace('bars', 'pie'));
  });

  test('list names the panels that come with Outrank, what each shows and takes', async () => {
    const { code, stdout } = await outrank('panel', 'list');
    expect(code).toBe(0);
    const ids = [...stdout.matchAll(/^([\w-]+): .+ \(\w+\)$/gm)].map(([, id]) => `${id}.panel.sql`);
    expect(ids).toEqual(shippedPanels.map(({ name }) => name));
    expect(stdout).toContain(`longest-ready-wait: Longest ready wait (number)
  The longest time that a thread was ready and did not run, within the range in view; of the chosen thread, if one is chosen.
      priority_min: Waits at a lower priority are left out.
`);
  });

  test('check tells a good panel’s columns, and at which line a faulty one is wrong', async () => {
    expect(await outrank('panel', 'check', 'runs.panel.sql')).toEqual({
      code: 0,
      stdout: 'runs.panel.sql: good; its rows have process, ran_ns\n',
      stderr: '',
    });
    const { code, stdout, stderr } = await outrank(
      ...['panel', 'check', 'faulty.panel.sql', 'runs.panel.sql', 'pie.panel.sql'],
    );
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: 'runs.panel.sql: good; its rows have process, ran_ns\n',
    });
    expect(stderr).toMatch(
      /^outrank: faulty\.panel\.sql, line 6, column 39: no such column: r\.drr\noutrank: pie\.panel\.sql, line 4: .*there are table, bars, .+\n$/,
    );
  });

  test.each([
    ['table', 'Runs by process\nProcess      Ran\napp.exe  76.0 ms\nSystem   70.0 ms\n\n'],
    ['csv', 'process,ran_ns\r\napp.exe,75999000\r\nSystem,69988001\r\n'],
    [
      'markdown',
      '# Runs by process\n\n## Runs by process\n\n| Process | Ran |\n| --- | ---: |\n' +
        '| app.exe | 76.0 ms |\n| System | 70.0 ms |\n',
    ],
  ])('render prints a %s', async (format, stdout) => {
    const args = ['runs.panel.sql', 'minimal.etl', '--param', 'top=2', '--format', format];
    expect(await outrank('panel', 'render', ...args)).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('render prints all that is drawn as JSON, and the picture as SVG', async () => {
    const render = (...args: string[]) =>
      outrank('panel', 'render', 'runs.panel.sql', 'minimal.etl', ...args);
    const json = await render('--param', 'top=2', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      title: 'Runs by process',
      drawing: { kind: 'bars', roles: { name: 'process', value: 'ran_ns' } },
      columns: [
        { name: 'process', kind: 'text' },
        { name: 'ran_ns', kind: 'duration_ns' },
      ],
      rows: [
        ['app.exe', 75_999_000],
        ['System', 69_988_001],
      ],
    });
    const { code, stdout } = await render('--format', 'svg');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<svg [^>]*xmlns="[^]*>Runs by process<[^]*>app\.exe<[^]*<\/svg>\n$/);
  });

  test('render takes the range in view and what is chosen', async () => {
    const args = ['longest-ready-wait', 'minimal.etl', '--format', 'csv'];
    const whole = await outrank('panel', 'render', ...args);
    expect(whole.stdout).toMatch(
      /^dur,ts,tid,process_name,priority,rank\r\n40000000,.*,LockApp\.exe,14,2\r\n$/,
    );
    const before = await outrank('panel', 'render', ...args, '--to', '1ms');
    expect(before.stdout).not.toContain('LockApp.exe');
    const other = await outrank('panel', 'render', ...args, '--thread', '2004');
    expect(other.stdout).toMatch(/^.*\r\n1000000,.*,2004,app\.exe,8,0\r\n$/);
  });

  test('a panel is named as list names it: one of the user’s folder stands for a shipped one', async () => {
    const own = join(folder, 'outrank', 'panels');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'longest-ready-wait.panel.sql'), PANEL);
    writeFileSync(join(own, 'broken.panel.sql'), '-- @title Broken\nSELECT 1;\n');
    try {
      const list = await outrank('panel', 'list');
      expect(list.stdout).toMatch(
        /^broken\.panel\.sql: .*@description.*\nlongest-ready-wait: Runs by process \(bars\)\n/,
      );
      expect(list.stdout).not.toContain('Longest ready wait');
      const rows = 'process,ran_ns\r\napp.exe,75999000\r\n';
      const args = ['--param', 'top=1', '--format', 'csv'];
      const rendered = await outrank('panel', 'render', 'longest-ready-wait', 'minimal.etl', ...args);
      expect(rendered.stdout).toBe(rows);
      const asked = await outrank('query', 'minimal.etl', '--file', 'longest-ready-wait', ...args);
      expect(asked.stdout).toBe(rows);
      const { code, stderr } = await outrank('panel', 'check', 'no-such');
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^outrank: no panel is called "no-such": there are broken, longest-ready-wait, .+, focus-changes; a file is \*\.panel\.sql\n$/,
      );
    } finally {
      rmSync(own, { recursive: true });
    }
  });

  test('query takes the rows of a panel, with parameters', async () => {
    const args = ['minimal.etl', '--file', 'runs.panel.sql', '--param', 'top=1', '--format', 'csv'];
    expect(await outrank('query', ...args)).toEqual({
      code: 0,
      stdout: 'process,ran_ns\r\napp.exe,75999000\r\n',
      stderr: '',
    });
  });

  test.each([
    [
      ['query', 'minimal.etl', '--file', 'runs.panel.sql', '--param', 'top=x'],
      'parameter "top" takes a number',
    ],
    [
      ['query', 'minimal.etl', '--file', 'faulty.panel.sql'],
      'faulty.panel.sql, line 6, column 39: no such column: r.drr',
    ],
    [
      ['query', 'minimal.etl', '--sql', 'SELECT 1', '--param', 'top=1'],
      '--param, --thread and --pid go with the --file of a panel',
    ],
    [
      ['panel', 'render', 'sampled-calls', 'minimal.etl', '--format', 'csv'],
      'sampled-calls: not recorded: it needs the kernel flag PROFILE (in WPR: the CPU profile)',
    ],
    [
      ['panel', 'render', 'runs.panel.sql', 'minimal.etl', '--param', 'bottom=1'],
      'unknown parameter "bottom": this panel takes top',
    ],
    [
      ['panel', 'render', 'longest-ready-wait', 'minimal.etl', '--thread', '9999'],
      '--thread 9999: no thread of this trace has this id',
    ],
    [
      ['query', 'minimal.etl', '--file', 'longest-ready-wait', '--pid', '9999'],
      '--pid 9999: no process of this trace has this id',
    ],
    [
      ['query', 'minimal.etl', '--file', 'longest-wait', '--format', 'csv'],
      '--file: longest-wait: no such file or folder',
    ],
    [['panel', 'render', 'runs.panel.sql'], 'TRACE is missing'],
    [['panel', 'check'], 'FILE is missing'],
    [['panel', 'check', 'none.panel.sql'], 'none.panel.sql: no such file or folder'],
    [['panel', 'draw'], 'panel takes list, check or render: outrank help panel'],
  ])('outrank %j is refused in one line', async (args, message) => {
    expect(await outrank(...args)).toEqual({ code: 1, stdout: '', stderr: `outrank: ${message}\n` });
  });
});
