import type { CpuShade } from '../../shared/timeline/index.ts';

/** The lines in the lanes of threads: what they tell, and the highest number that they reach. */
export interface Lines {
  readonly of: CpuShade;
  readonly most: number;
}

/** How thick a line is, in px. */
const LINE_PX = 2;

/**
 * Where a number lies in a lane that is so many px high: the upper edge of its line, in px from that of the lane. Ranks lie by their square
 * roots: a few threads have high ones, and the steps that matter are low.
 */
export function lineTop(number: number, { of, most }: Lines, height: number): number {
  const part = number / Math.max(1, most);
  return Math.round((1 - (of === 'rank' ? Math.sqrt(part) : part)) * (height - LINE_PX));
}

/** A part of a line: px from the left of the lane, and from its upper edge. */
export interface LinePart {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * A line as rectangles: `line` has the lowest and the highest value of each pixel as `linePixels` gives them, and `placeOf` the pixel at
 * each px, -1 for none. Steps are joined, so that no change is lost.
 */
export function* lineParts(
  line: ArrayLike<number>,
  placeOf: (x: number) => number,
  width: number,
  height: number,
  lines: Lines,
): Iterable<LinePart> {
  let last: { readonly top: number; readonly bottom: number } | null = null;
  for (let x = 0; x < width; x++) {
    const place = placeOf(x);
    const [low = 0, high = 0] = place < 0 ? [] : [line[2 * place], line[2 * place + 1]];
    if (high === 0) {
      last = null;
      continue;
    }
    const own = { top: lineTop(high - 1, lines, height), bottom: lineTop(low - 1, lines, height) + LINE_PX };
    const top = last === null ? own.top : Math.min(own.top, last.bottom - LINE_PX);
    const bottom = last === null ? own.bottom : Math.max(own.bottom, last.top + LINE_PX);
    yield { left: x, right: x + 1, top, bottom };
    last = own;
  }
}
