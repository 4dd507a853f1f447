import { expect, test } from 'vitest';
import { namesIn, Places, TRACK_PX } from './places.ts';

const tracks = ['c0', 't5', 'p1', 't7'].map((name) => ({ name }));
const places = new Places(tracks, namesIn('t5  t9'));

test('a tall track takes three places', () => {
  expect(places.count).toBe(6);
  expect([-1, 0, 1, 3, 4, 5, 6].map((place) => places.at(place))).toEqual([-1, 0, 1, 1, 2, 3, -1]);
  expect(places.of(1)).toEqual({ begin: 1, end: 4 });
});

test('a tall track of which a part is scrolled away begins above the edge', () => {
  expect(places.inSight(2, 3)).toEqual([
    { index: 1, top: -TRACK_PX, height: 3 * TRACK_PX - 4 },
    { index: 2, top: 2 * TRACK_PX, height: TRACK_PX - 4 },
  ]);
  expect(places.inSight(0, 100).map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  expect(new Places([], namesIn(null)).inSight(0, 5)).toEqual([]);
});
