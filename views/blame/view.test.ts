import { expect, test } from 'vitest';
import { START, Story } from '../../shared/causes/testing.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { labelsOf } from './scatter.ts';
import { blameTables } from './tables.ts';
import { blame } from './view.ts';

const whole = { start: START, end: START + 1_000_000 };

/** Threads 1 and 2 wait 60 and 51 µs for thread 3; threads 4 and 5 wait for each other alone. */
const story = new Story(5, 1000)
  .runs(1, 10, 20)
  .runs(2, 11, 30)
  .runs(3, 5, 90)
  .wakes(80, 3, 1)
  .wakes(81, 3, 2)
  .runs(1, 82, 100)
  .runs(2, 83, 100)
  .runs(4, 200, 210)
  .runs(5, 205, 240)
  .wakes(230, 5, 4)
  .runs(4, 231, 270)
  .wakes(260, 4, 5)
  .runs(5, 261, 280);

const load = async (given: Readonly<Record<string, unknown>>) =>
  blame.load(await story.query(), readParams(blame.params, given), whole);

test('threads for which others waited longest come first, with the CPU time that they used', async () => {
  const [{ rows }] = blameTables(await load({ limit: 4 }));
  expect(rows).toEqual([
    ['app.exe (tid 3)', 111_000, 111_000, 0, 85_000, 't-4'],
    ['app.exe (tid 5)', 20_000, 20_000, 0, 54_000, 't-5'],
    ['app.exe (tid 4)', 20_000, 20_000, 0, 49_000, 't-1'],
    ['app.exe (tid 2)', 0, 0, 0, 36_000, 't-3'],
  ]);
});

test('processes, and knots of threads that wait only for each other', async () => {
  const tables = await Promise.all(['process', 'knot'].map(async (by) => blameTables(await load({ by }))[0]));
  expect(tables.map(({ rows }) => rows)).toEqual([
    [['app.exe (pid 4)', 151_000, 151_000, 0, 252_000]],
    [['app.exe (tid 4)  t-1, app.exe (tid 5)  t-5', 40_000, 40_000, 103_000]],
  ]);
});

test('what is not recorded is said, not taken for nothing', async () => {
  const { unrecorded } = await load({ by: 'driver' });
  expect(unrecorded).toContain('drivers are not known');
  expect((await load({ by: 'module' })).unrecorded).toContain('which code ran is not known');
});

test('a still names what others waited for longest', async () => {
  const { texts } = stillOf(blame, await load({}), whole);
  expect(texts.filter((text) => text === 'app.exe (tid 3)')).toHaveLength(1);
});

test('a name that fits on neither side of its dot is cut, with its id', () => {
  const dot = { row: { label: 'LockApp.exe (tid 10704, Lock screen UI)' }, x: 210, y: 50 };
  const [cut] = labelsOf([dot], 400);
  expect(cut).toMatchObject({ text: 'LockApp.exe (tid 10704)', x: 62.5 });
  expect(labelsOf([{ ...dot, x: 390 }], 400)[0]?.text).toBe(dot.row.label);
  expect(labelsOf([{ ...dot, x: 10 }], 400)[0]).toMatchObject({ text: dot.row.label, x: 19.5 });
});
