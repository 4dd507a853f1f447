import { expect, test } from 'vitest';
import { matchProcesses } from './match.ts';
import type { Measured } from './measure.ts';
import type { ProcessClass } from './things.ts';

type Named = readonly [image: string, command: string | null, parent: string | null, count?: number];

/** A trace that holds these processes, and nothing else that matching looks at. */
function traceOf(...named: readonly Named[]): Measured {
  const processes = named.map(([image, command, parent, count = 1]): ProcessClass => ({
    image,
    command,
    parent,
    count,
  }));
  return {
    name: 'trace',
    range: { start: 0, end: 1 },
    blocks: new Float64Array(1),
    recorded: { facts: new Map(), held: new Set(), redacted: null },
    processes,
    threads: [],
    cells: [],
    lengths: new Map(),
    areAllDivided: true,
  };
}

const stepsOf = (a: readonly Measured[], b: readonly Measured[]) =>
  matchProcesses(a, b).matched.map(({ name, step, a_count, b_count }) => [name, step, a_count, b_count]);

test('processes are the same in falling steps', () => {
  const a = traceOf(
    ['app.exe', 'app.exe', 'x.exe'],
    ['b.exe', 'b.exe -q', 'x.exe'],
    ['c.exe', 'c.exe -q', null],
  );
  const b = traceOf(['APP.exe', 'app.exe', 'x.exe'], ['b.exe', 'b.exe -q', 'y.exe'], ['c.exe', null, null]);
  expect(stepsOf([a], [b])).toEqual([
    ['APP.exe', 'command_and_parent', 1, 1],
    ['b.exe', 'command', 1, 1],
    ['c.exe', 'image', 1, 1],
  ]);
});

test('those that are alike are one class, and others of the image have their command lines in their names', () => {
  const a = traceOf(['svchost.exe', 'svchost.exe -s a', null, 3], ['svchost.exe', 'svchost.exe -s b', null]);
  const b = traceOf(['svchost.exe', 'svchost.exe -s a', null, 5], ['new.exe', null, null]);
  expect(stepsOf([a], [b])).toEqual([
    ['svchost.exe -s a', 'command_and_parent', 3, 5],
    ['svchost.exe -s b', 'only', 1, 0],
    ['new.exe', 'only', 0, 1],
  ]);
});

test('of several traces the counts are means', () => {
  const [once, never] = [traceOf(['app.exe', null, null]), traceOf()];
  expect(stepsOf([once, never], [once, once])).toEqual([['app.exe', 'command_and_parent', 0.5, 1]]);
});
