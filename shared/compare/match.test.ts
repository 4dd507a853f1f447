import { expect, test } from 'vitest';
import { matchProcesses } from './match.ts';
import type { Measured } from './measure.ts';
import type { ProcessClass } from './things.ts';
import { readTie, TieError } from './ties.ts';

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
    isWhole: true,
    blocks: new Float64Array(1),
    leftOut_ns: 0,
    recorded: { facts: new Map(), held: new Set(), redacted: null, providers: [], missing_part: 0 },
    processes,
    threads: [],
    cells: [],
    lengths: new Map(),
    lives: [],
    episodes: new Map(),
    stacks: new Map(),
  };
}

const stepsOf = (a: readonly Measured[], b: readonly Measured[]) =>
  matchProcesses(a, b, []).matched.map(({ name, step, a_count, b_count }) => [name, step, a_count, b_count]);

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

test('what the user ties comes first, though both names are on both sides', () => {
  const a = traceOf(['old.exe', 'old.exe', null], ['app.exe', 'app.exe -x=1', null]);
  const b = traceOf(
    ['new.exe', 'new.exe', null, 2],
    ['app.exe', 'app.exe -x=1', null],
    ['old.exe', null, null],
  );
  const tie = readTie('OLD.exe=new.exe', [a], [b]);
  const matching = matchProcesses([a], [b], [tie, { a: 'old.exe', b: 'app.exe' }]);
  const { matched, lost } = matching;
  expect(matched.map(({ name, step, a_names, b_names }) => [name, step, a_names, b_names])).toEqual([
    ['new.exe', 'tied', ['old.exe'], ['new.exe']],
    ['app.exe', 'command_and_parent', ['app.exe -x=1'], ['app.exe -x=1']],
    ['old.exe', 'only', [], ['old.exe']],
  ]);
  expect(lost).toEqual([{ a: 'old.exe', b: 'app.exe' }]);
  const numbers = [matching.of('a', a, 0), matching.of('b', b, 0), matching.of('b', b, 2)];
  expect(numbers).toEqual([0, 0, 2]);
});

test.each([
  ['app.exe', '"app.exe" is no tie: one is "old.exe=new.exe", the process of A first'],
  ['none.exe=app.exe', '"none.exe=app.exe": A has no process none.exe'],
  ['app.exe=none.exe', '"app.exe=none.exe": B has no process none.exe'],
])('the tie %s is refused', (text, message) => {
  const side = [traceOf(['app.exe', 'app.exe --kind=a', null])];
  expect(() => readTie(text, side, side)).toThrow(new TieError(message));
  expect(readTie('app.exe --kind=a=app.exe', side, side)).toEqual({ a: 'app.exe --kind=a', b: 'app.exe' });
});
