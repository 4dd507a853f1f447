import { expect, test } from 'vitest';
import { meet, type MetTrace } from './meet.ts';

const US = 1_000;
const us = (start: number, end: number) => ({ start: start * US, end: end * US });

/** A trace that begins at 100 µs. The part between `from` and `to` is compared. Times are in µs. */
const trace = (
  end: number,
  [from, to]: readonly [number, number],
  place: MetTrace['place'] = null,
): MetTrace => ({ whole: us(100, end), compared: us(from, to), place });

test('traces meet where their ranges begin, and the axis covers both', () => {
  expect(meet('from', { a: trace(1100, [300, 500]), b: trace(2100, [150, 450]) })).toEqual({
    anchors: { a: 300 * US, b: 150 * US },
    bounds: us(-200, 1950),
    shown: us(0, 300),
  });
});

test('traces meet where their ranges end', () => {
  expect(meet('to', { a: trace(1100, [300, 500]), b: trace(2100, [150, 450]) })).toMatchObject({
    anchors: { a: 500 * US, b: 450 * US },
    shown: us(-300, 0),
  });
});

test('traces meet where the row counts most; a side that has nothing of it moves with the other', () => {
  const place = { ts: 350 * US, te: 360 * US };
  expect(meet('row', { a: trace(1100, [300, 500], place), b: trace(2100, [150, 450]) })).toEqual({
    anchors: { a: 350 * US, b: 200 * US },
    bounds: us(-250, 1900),
    shown: us(-10, 20),
  });
});
