import { ROWS } from '../../shared/timeline/index.ts';
import type { TrackItem } from '../../shared/view/index.ts';
import type { Zoom } from './questions.ts';
import { FAINT, FIRST_HUE } from './extra-classes.ts';
import { fillRow, pixelsIn } from './extra-items.ts';

/** A flag flies to the right of its pole, so far in px. */
export const FLAG_PX = 9;
const FLAG_ROWS = 9;
/** What lasts is a bar at the foot of its flag. */
const FOOT_ROWS = 4;
/** Vermilion, and plum. */
const [FLAG, POLE] = [FIRST_HUE + 3, FIRST_HUE + 2];

/** Draws a flag where each item begins, and a bar for as long as it lasts. Where flags overlap, the pole of each stays in sight. */
export function drawFlags(items: readonly TrackItem[], cells: Uint8Array, zoom: Zoom): void {
  const { pixels } = zoom;
  const places = items.flatMap(({ ts, te }) => {
    // A flag may fly into the picture, whose pole stands before it.
    const place = pixelsIn({ start: ts, end: Math.max(te, ts + FLAG_PX * zoom.pixel_ns) }, zoom);
    const foot = pixelsIn({ start: ts, end: te }, zoom);
    return place === null ? [] : [{ from: place.from, foot }];
  });
  for (const { foot } of places)
    if (foot !== null)
      for (let row = ROWS - FOOT_ROWS; row < ROWS; row++) fillRow(cells, pixels, row, foot, FAINT);
  const middle = (FLAG_ROWS - 1) / 2;
  for (let row = 0; row < FLAG_ROWS; row++) {
    const reach = Math.round(FLAG_PX * (1 - Math.abs(row - middle) / (middle + 1)));
    for (const { from } of places) fillRow(cells, pixels, row, { from, to: from + 1 + reach }, FLAG);
  }
  for (let row = 0; row < ROWS; row++)
    for (const { from } of places) fillRow(cells, pixels, row, { from, to: from + 1 }, POLE);
}
