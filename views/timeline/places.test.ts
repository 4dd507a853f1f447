import { expect, test } from 'vitest';
import { namesIn, Places, TRACK_PX } from './places.ts';

const tracks = ['c0', 't5', 'p1', 't7'].map((name) => ({ name, is_pinned: false }));
const places = new Places(tracks, namesIn('t5  t9'));

test('a tall track takes three places', () => {
  expect(places.count).toBe(6);
  expect([-1, 0, 1, 3, 4, 5, 6].map((place) => places.at(place))).toEqual([-1, 0, 1, 1, 2, 3, -1]);
  expect(places.of(1)).toEqual({ begin: 1, end: 4 });
});

test('a tall track that is scrolled away in part begins above the edge', () => {
  expect(places.inSight(2, 3)).toEqual([
    { index: 1, top: -TRACK_PX, height: 3 * TRACK_PX - 4, cut: 0 },
    { index: 2, top: 2 * TRACK_PX, height: TRACK_PX - 4, cut: 0 },
  ]);
  expect(places.inSight(0, 100).map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  expect(new Places([], namesIn(null)).inSight(0, 5)).toEqual([]);
});

test('pinned tracks stay at the top while others scroll below them', () => {
  const some = tracks.map((track, index) => ({ ...track, is_pinned: index === 0 }));
  const held = new Places(some, namesIn('t5'));
  expect(held.held(4)).toBe(1);
  // The track of three places has two below the pinned one.
  expect(held.inSight(1, 4)).toEqual([
    { index: 0, top: 0, height: TRACK_PX - 4, cut: 0 },
    { index: 1, top: 0, height: 3 * TRACK_PX - 4, cut: TRACK_PX },
    { index: 2, top: 3 * TRACK_PX, height: TRACK_PX - 4, cut: TRACK_PX },
  ]);
});

test('pinned tracks hold half of the room at most', () => {
  const all = new Places(
    tracks.map((track) => ({ ...track, is_pinned: true })),
    namesIn(null),
  );
  expect([7, 2, 1].map((room) => all.held(room))).toEqual([3, 1, 0]);
});
