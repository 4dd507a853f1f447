import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ComparedFindings } from '../../shared/compare/index.ts';
import { describeReal, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { compareJunit } from './compare-junit.ts';
import { outrankIn } from './testing.ts';

const folder = temporaryFolder();
const outrank = outrankIn(folder);

describeReal('outrank compare', () => {
  beforeAll(() => {
    writeTrace(join(folder, 'before.etl'), 'routine', '--seconds', '8');
    const change = ['--change', 'rank', '--seed', '2', '--first-id', '400'];
    writeTrace(join(folder, 'after.etl'), 'routine', '--seconds', '8', ...change);
    writeTrace(join(folder, 'compact.etl'), 'routine', '--seconds', '2', '--compact');
    writeTrace(join(folder, 'events.etl'), 'generic', '--count', '100');
    writeTrace(join(folder, 'short-lock.etl'), 'user-lock');
    writeTrace(join(folder, 'long-lock.etl'), 'user-lock', '--held-ms', '700');
  });

  test('fails for sure with 4, and proves it for people and for CI', { timeout: 60_000 }, async () => {
    const bounds = ['--fail-on', 'ready.rank(app.exe) > +0.2 s', '--fail-on', 'cpu(broker.exe) > +80 %'];
    const { code, stdout } = await outrank('compare', 'before.etl', 'after.etl', ...bounds, '--limit', '3');
    expect(code).toBe(4);
    expect(stdout).toMatch(
      /^A {2}before\.etl, 8\.000 s\nB {2}after\.etl, 8\.000 s\n\nMost changed app\.exe, ready: rank: \+/,
    );
    expect(stdout).toContain('A bound is broken for sure.');
    expect(stdout).toMatch(/ready\.rank\(app\.exe\) > \+0\.2 s {2}BROKEN {2}0\.000 s in A, /);
    expect(stdout).toMatch(/cpu\(broker\.exe\) > \+80 % {7}kept {4}/);
    expect(stdout).toContain('outrank view ready-latency after.etl --param process=app.exe');
  });

  test('says which findings are new, gone, or cost more', { timeout: 60_000 }, async () => {
    const findings = async (...args: readonly string[]) => {
      const { stdout } = await outrank('compare', ...args, '--format', 'json');
      const told = JSON.parse(stdout) as { readonly findings: ComparedFindings | null };
      return (
        told.findings?.changes.map(({ change, title, process, explains }) => [
          change,
          title,
          process,
          explains,
        ]) ?? null
      );
    };
    const lock = ['User lock contention', 'explorer.exe'];
    expect(await findings('short-lock.etl', 'short-lock.etl')).toEqual([]);
    expect(await findings('short-lock.etl', 'long-lock.etl')).toEqual([['more', ...lock, 0]]);
    const before = ['short-lock.etl', 'short-lock.etl', '--to-a', '100ms', '--from-b', '100ms'];
    expect(await findings(...before)).toEqual([['new', ...lock, 1]]);
    const group = ['long-lock.etl', '--with', 'short-lock.etl', 'short-lock.etl'];
    expect(await findings(...group)).toBeNull();
    expect(await findings(...group, '--findings')).toEqual([['less', ...lock, 0]]);
  });

  test('says that it scales, however little lengths differ', { timeout: 60_000 }, async () => {
    const ends = ['--to-a', '2s', '--to-b', '2.00004s'];
    const { stdout } = await outrank('compare', 'before.etl', 'after.etl', ...ends, '--limit', '1');
    expect(stdout).toContain('A is 2.000000 s long, B 2.000040 s: sums of A are scaled to the length of B.');
  });

  test('says as JSON what one side did not record', { timeout: 60_000 }, async () => {
    const sides = ['before.etl', '--with', 'compact.etl', '--to-a', '2s'];
    const { code, stdout } = await outrank(
      'compare',
      ...sides,
      ...['--tie', 'broker.exe=compiler.exe'],
      '--fail-on',
      'blocked > +1 %',
      '--format',
      'json',
    );
    expect(code).toBe(0);
    const { notes, recording, bounds, processes, ...told } = JSON.parse(stdout) as Record<string, unknown>;
    expect(told).toMatchObject({
      version: 1,
      a: { traces: ['before.etl'], length_ns: 2e9 },
      b: { traces: ['compact.etl'] },
    });
    const lacks = ['blocked time', 'whom others waited for'].map(
      (what) => `Not compared: ${what}. B (compact.etl) has no thread states and wait reasons.`,
    );
    const scaled = 'A is 2.000000 s long, B 2.000017 s: sums of A are scaled to the length of B.';
    expect(notes).toEqual([scaled, ...lacks]);
    expect(processes).toContainEqual(
      expect.objectContaining({ image: 'compiler.exe', step: 'tied', a_names: ['broker.exe --log temp'] }),
    );
    expect(recording).toContainEqual({
      what: 'thread states and wait reasons',
      a: 'recorded',
      b: 'none recorded',
    });
    expect(bounds).toEqual([{ text: 'blocked > +1 %', result: 'not_recorded', proof: lacks[0] }]);
  });

  test('sets two traces side by side by an anchor of each', { timeout: 60_000 }, async () => {
    const listed = await outrank('compare', 'short-lock.etl', 'long-lock.etl', '--anchors');
    expect(listed.stdout).toMatch(/^release:1 +0\.499999 s/m);
    expect(listed.stdout).toMatch(/^release:1 +0\.799999 s/m);
    const ends = ['--from', 'focus:editor.exe', '--to', 'release:1+1us', '--format', 'json'];
    const { code, stdout } = await outrank('compare', 'short-lock.etl', 'long-lock.etl', ...ends);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      a: { ranges: [{ start: 1_001_000_000, end: 1_500_000_500 }] },
      b: { ranges: [{ start: 1_001_000_000, end: 1_800_000_500 }] },
    });
  });

  test('compares what is left of a damaged trace', { timeout: 60_000 }, async () => {
    cut('before.etl', 'damaged.etl');
    const { code, stdout, stderr } = await outrank(
      ...['compare', 'before.etl', 'damaged.etl', '--format', 'markdown'],
    );
    expect(code).toBe(3);
    expect(stderr).toContain('damaged.etl');
    expect(stdout).toMatch(/^## before\.etl → damaged\.etl\n/);
    expect(stdout).toMatch(/^\| gaps \| 0 \| \d+ \|$/m);
    expect(stdout).toContain(
      'B lacks more than 1 % of its events, at times that are not known: nothing is sure.',
    );
    expect(stdout).toContain('**Nothing changed for sure.**');
  });

  test('leaves out the seconds in which events of a CPU are missing', { timeout: 60_000 }, async () => {
    writeTrace(join(folder, 'long.etl'), 'routine');
    cut('long.etl', 'cut.etl');
    const { stdout } = await outrank('compare', 'long.etl', 'cut.etl', '--format', 'markdown');
    expect(stdout).toContain('B has gaps in its recording: 10.000 s around these are not compared.');
    expect(stdout).toContain('A is 20.000 s long, B 10.000 s: sums of A are scaled to the length of B.');
    expect(stdout).toContain('**Nothing changed for sure.**');
  });

  /** Writes a trace without its last three tenths. */
  function cut(from: string, to: string): void {
    const bytes = readFileSync(join(folder, from));
    writeFileSync(join(folder, to), bytes.subarray(0, bytes.length * 0.7));
  }

  test('says that nothing can be compared where one side has no context switches', async () => {
    const { code, stdout } = await outrank('compare', 'before.etl', 'events.etl', '--fail-on', 'cpu > +1 %');
    expect(code).toBe(0);
    expect(stdout).toContain('Not compared: CPU time. B (events.etl) has no context switches.');
    expect(stdout).toContain('Nothing can be compared: what it takes is not recorded on both sides.');
    expect(stdout).toMatch(/cpu > \+1 % {2}not recorded/);
  });

  test.each([
    [['before.etl'], 1, 'two traces are compared: outrank compare A B, or A… --with B…'],
    [['a.etl', 'b.etl', 'c.etl'], 1, 'of more than two traces --with parts the sides'],
    [['a.etl', '--with'], 1, 'two traces are compared'],
    [['a.etl', 'b.etl', '--fail-on', 'disk > 1'], 1, '"disk > 1" is no bound'],
    [['a.etl', 'b.etl', '--format', 'junit'], 1, '--format junit has a test for each bound: give --fail-on'],
    [['a.etl', 'b.etl', '--format', 'csv'], 1, '--format takes text, markdown, json, junit, not "csv"'],
    [['before.etl', 'after.etl', '--tie', 'app.exe=none.exe'], 1, 'B has no process none.exe'],
    [
      ['before.etl', 'after.etl', '--from-b', 'key:1'],
      1,
      '"key:1" is not in this trace; keys and buttons: 0',
    ],
    [['before.etl', 'after.etl', '--to', 'none:1'], 1, '--to takes a time such as'],
    [['missing.etl', 'before.etl'], 2, 'missing.etl'],
  ])('%j is refused', { timeout: 60_000 }, async (args, code, message) => {
    const outcome = await outrank('compare', ...args);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(message);
    expect(outcome.stdout).toBe('');
  });
});

test('bounds are tests for CI: one that cannot be told is skipped', () => {
  const side = { traces: ['a <1>.etl'], length_ns: 1, ranges: [], blocks_ns: [] };
  const bounds = [
    { text: 'ready > +1 s', result: 'broken', proof: 'More.' },
    { text: 'cpu > +1 s', result: 'kept', proof: 'Less.' },
    { text: 'switches > +1 %', result: 'cannot_tell', proof: 'Who knows\u0000.' },
  ] as const;
  const none = {
    recording: [],
    notes: [],
    processes: [],
    threads: [],
    totals: [],
    changes: [],
    blame: [],
    lives: [],
    episodes: [],
    switches: [],
    lengths: [],
    stacks: [],
  };
  expect(compareJunit({ a: side, b: side, bounds, ...none })).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
      <testsuite name="a &lt;1&gt;.etl to a &lt;1&gt;.etl" tests="3" failures="1" skipped="1">
        <testcase classname="outrank compare" name="ready &gt; +1 s">
          <failure message="More."/>
        </testcase>
        <testcase classname="outrank compare" name="cpu &gt; +1 s">
          <system-out>Less.</system-out>
        </testcase>
        <testcase classname="outrank compare" name="switches &gt; +1 %">
          <skipped message="Who knows�."/>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `);
});
