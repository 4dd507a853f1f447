import type { TimeRange, TrackItem } from '../../shared/view/index.ts';
import type { Zoom } from './questions.ts';

/** The place of the first item that begins after a time. */
export function firstAfter(items: readonly TrackItem[], at: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.ts ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The pixels of a zoom that a time takes. Some may lie outside the zoom; null where all do. An instant takes one pixel. */
export function pixelsIn(
  { start: ts, end: te }: TimeRange,
  { start, pixel_ns, pixels }: Zoom,
): { readonly from: number; readonly to: number } | null {
  const from = Math.floor((ts - start) / pixel_ns);
  const to = Math.max(from + 1, Math.ceil((te - start) / pixel_ns));
  return from >= pixels || to <= 0 ? null : { from, to };
}

/** Fills a part of a row. */
export function fillRow(
  cells: Uint8Array,
  pixels: number,
  row: number,
  { from, to }: { readonly from: number; readonly to: number },
  of: number,
): void {
  const begin = row * pixels;
  cells.fill(of, begin + Math.min(pixels, Math.max(0, from)), begin + Math.max(0, Math.min(pixels, to)));
}
