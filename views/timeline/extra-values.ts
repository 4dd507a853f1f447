import { ROWS } from '../../shared/timeline/index.ts';
import type { TrackItem } from '../../shared/view/index.ts';
import type { Zoom } from './questions.ts';
import { FAINT, FIRST_HUE } from './extra-classes.ts';
import { firstAfter } from './extra-items.ts';

/** The foot and the top of the track: zero is always in it. */
export interface Scale {
  readonly least: number;
  readonly most: number;
}

/** The scale that holds all values, and the highest one of other tracks. */
export function scaleOf(items: readonly TrackItem[], highest: number): Scale {
  let [least, most] = [0, Math.max(0, highest)];
  for (const { value } of items) {
    least = Math.min(least, value ?? 0);
    most = Math.max(most, value ?? 0);
  }
  return { least, most };
}

/** Fills each pixel up to the lowest value in it, and faintly up to the highest, so that no value is lost. */
export function drawValues(items: readonly TrackItem[], scale: Scale, cells: Uint8Array, zoom: Zoom): void {
  const { start, pixel_ns, pixels } = zoom;
  let at = firstAfter(items, start) - 1;
  for (let pixel = 0; pixel < pixels; pixel++) {
    const [from, end] = [start + pixel * pixel_ns, start + (pixel + 1) * pixel_ns];
    let [low, high] = [Infinity, -Infinity];
    let until = from;
    for (; ; at++) {
      const item = items[at];
      if (item !== undefined && item.te > from) {
        // Where no value holds, the lowest one is none.
        if (item.value === null || item.ts > until) low = scale.least;
        if (item.value !== null) {
          low = Math.min(low, item.value);
          high = Math.max(high, item.value);
        }
        until = item.te;
      }
      const next = items[at + 1];
      if (next === undefined || next.ts >= end) break;
    }
    if (high === -Infinity) continue;
    if (until < end) low = scale.least;
    const [lowRow, highRow] = [rowsOf(low, scale), rowsOf(high, scale)];
    for (let row = 0; row < highRow; row++)
      cells[(ROWS - 1 - row) * pixels + pixel] = row < lowRow ? FIRST_HUE : FAINT;
  }
}

/** How many rows a value is high; one at least where it is above the foot of the track. */
function rowsOf(value: number, { least, most }: Scale): number {
  if (value <= least) return 0;
  return Math.max(1, Math.round(((value - least) / (most - least)) * ROWS));
}
