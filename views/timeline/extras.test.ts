import { expect, test } from 'vitest';
import { ROWS } from '../../shared/timeline/index.ts';
import type { ExtraTrack, TrackItem } from '../../shared/view/index.ts';
import { FAINT, FIRST_HUE, UNKNOWN } from './extra-classes.ts';
import { detailOf, Extras } from './extras.ts';

function track(
  draw: ExtraTrack['draw'],
  items: readonly (readonly [ts: number, te: number, name: string, value?: number])[],
  known: ExtraTrack['known'] = null,
): ExtraTrack {
  const shown = items.map(([ts, te, name, value]): TrackItem => ({ ts, te, name, value: value ?? null }));
  const about = (item: number) => ({
    facts: [['Place', String(item)]] as const,
    selection: null,
    open: null,
  });
  return { name: 'one', label: 'One', aside: '', draw, known, most: null, items: shown, about };
}

function extras(of: ExtraTrack): Extras {
  const made = new Extras();
  made.take([of]);
  return made;
}

/** The rows of 20 pixels of 10 ns each, as characters; rows that are alike are named once. */
function picture(of: ExtraTrack): readonly string[] {
  const cells = extras(of).tile('xone', { start: 0, end: 200 }, 20)?.cells ?? new Uint8Array();
  const sign = (of: number) =>
    of === 0 ? '.' : of === FAINT ? '-' : of === UNKNOWN ? '/' : String.fromCharCode(96 + of - FIRST_HUE + 1);
  const rows = Array.from({ length: ROWS }, (_, row) =>
    [...cells.subarray(row * 20, (row + 1) * 20)].map(sign).join(''),
  );
  return rows.filter((row, at) => row !== rows[at - 1]);
}

test('a flag flies from where its item begins; its foot is as long as the item, and no pole is hidden by another flag', () => {
  const flags = track('flags', [
    [20, 120, 'first'],
    [40, 40, 'second'],
  ]);
  expect(picture(flags)).toEqual([
    '..cdcdd.............',
    '..cdcdddd...........',
    '..cdcddddd..........',
    '..cdcddddddd........',
    '..cdcddddddddd......',
    '..cdcddddddd........',
    '..cdcddddd..........',
    '..cdcdddd...........',
    '..cdcdd.............',
    '..c.c...............',
    '..c-c-------........',
  ]);
});

test('spans have a colour by name; one shorter than a pixel keeps a line, and what is not known is hatched', () => {
  const spans = track(
    'spans',
    [
      [20, 80, 'a'],
      [40, 60, 'b'],
      [101, 102, 'c'],
    ],
    { start: 10, end: 150 },
  );
  expect(picture(spans)).toEqual(['/.aabbaa......./////', '/.aabbaa..c..../////']);
});

test('instants fill their pixel, each name by how often it is there', () => {
  const ticks = track('spans', [
    [20, 20, 'a'],
    [50, 50, 'a'],
    [52, 52, 'b'],
  ]);
  expect(picture(ticks)).toEqual(['..a..b..............', '..a..a..............']);
});

test('a value is as high as it is large; faint is what holds in a part of a pixel alone', () => {
  const values = track('values', [
    [20, 50, '', 4],
    [50, 85, '', 8],
    [85, 120, '', 2],
  ]);
  expect(picture(values)).toEqual(['.....aaa-...........', '..aaaaaa-...........', '..aaaaaaaaaa........']);
});

test('the tip says what is under the pointer and next to it, and what holds at the same time', () => {
  const spans = extras(
    track('spans', [
      [20, 80, 'a'],
      [40, 60, 'b'],
      [101, 102, 'c'],
    ]),
  );
  const inner = spans.at('xone', 50, 10);
  expect(inner).toEqual({
    track: 'xone',
    also: [],
    ts: 40,
    te: 60,
    title: 'b',
    thread: null,
    pid: null,
    facts: [
      ['Place', '1'],
      ['Holds then too', 'a, 60 ns'],
    ],
    wake: null,
  });
  if (inner === null) throw new Error('nothing is there');
  expect(detailOf(inner)?.facts).toEqual([['Place', '1']]);
  const titles = [spans.at('xone', 70, 10), spans.at('xone', 95, 10), spans.at('xone', 200, 10)];
  expect(titles.map((each) => each?.title)).toEqual(['a', 'c', undefined]);
  expect([spans.beside(inner, 1)?.title, spans.beside(inner, -1)?.title]).toEqual(['c', 'a']);
  expect(spans.next('xone', 85)?.title).toBe('c');
});
