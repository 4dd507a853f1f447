import type { Pen } from './plot.ts';

/** What is hatched has diagonal lines so far apart from left to right, in px. */
const HATCH_PX = 6;

/** Edges in px. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Diagonal lines in a box, which stands for the absence of something. They go on through boxes that touch. */
export function hatch(pen: Pen, { left, right, top, bottom }: Box): void {
  // Along a line the sum of x and y is the same.
  for (let sum = Math.ceil((left + top) / HATCH_PX) * HATCH_PX; sum < right + bottom; sum += HATCH_PX) {
    const from = Math.max(left, sum - bottom);
    const to = Math.min(right, sum - top);
    if (to <= from) continue;
    pen.moveTo(from, sum - from);
    pen.lineTo(to, sum - to);
  }
}
