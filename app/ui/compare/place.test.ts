// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { readComparePlace, swapSides, writeComparePlace, type ComparePlace } from './place.ts';

const full: ComparePlace = {
  other: 'ab'.repeat(32),
  otherName: 'after.etl',
  otherIs: 'a',
  more: [{ id: 'cd'.repeat(32), name: 'after, again.etl', side: 'b' }],
  ranges: { a: { start: 1, end: 2_000_000_000 }, b: null },
  ties: [{ a: 'old.exe', b: 'new.exe --x="1"' }],
  row: 'app.exe: ready: rank',
  look: 'timeline',
  meeting: 'row',
  zoom: { start: -2_000, end: 5_000 },
  lookParams: { both: { lines: 'rank' }, a: { pinned: 't44' }, b: { pinned: null, rows: 7 } },
};

test('what is compared comes back from a link, whose params are text', () => {
  const texts = Object.entries(writeComparePlace(full)).map(
    ([name, value]) => [name, String(value)] as const,
  );
  expect(readComparePlace(Object.fromEntries(texts))).toEqual(full);
  expect(writeComparePlace(readComparePlace({}))).toEqual({});
});

test("what of a stranger's link does not fit is as if not given", () => {
  const hostile = { other: '../x', other_is: 'c', from_a: '9', to_a: '1', from_b: '-1', to_b: {}, row: 7 };
  const look = { look: 'nowhere', meeting: 'there', zoom: '5~-5', look_params: '[[["a", {}], 3], 4]' };
  const nothing = readComparePlace({});
  expect(readComparePlace({ ...hostile, ...look, more: '[["x", "y", "a"], ["0", 1], 2]' })).toEqual(nothing);
  for (const ties of ['{', '{"a":1}', '[1, ["a"], ["a", 2]]'])
    expect(readComparePlace({ ...hostile, ties })).toEqual(nothing);
});

test('sides swapped twice are as before', () => {
  const swapped = swapSides(full);
  expect(swapped).toMatchObject({
    otherIs: 'b',
    more: [{ name: 'after, again.etl', side: 'a' }],
    ranges: { a: null, b: full.ranges.a },
    ties: [{ a: 'new.exe --x="1"', b: 'old.exe' }],
  });
  expect(swapSides(swapped)).toEqual(full);
});
