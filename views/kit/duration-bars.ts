import { extent, least } from 'd3';
import type { TimeRange } from '../../shared/view/index.ts';
import { drawDurationAxis, drawTimeAxis, durationScale, timeScale } from './axes.ts';
import type { Palette } from './palette.ts';
import type { Plot } from './plot.ts';
import type { PlotPoint } from './time-plot.ts';

/** What lasts; null where its end was not recorded. */
interface Lasting {
  readonly ts: number;
  readonly dur: number | null;
}

/** Bars of one colour and height: of all that passes. */
interface BarKind<T> {
  readonly color: string;
  readonly height_px: number;
  readonly has: (each: T) => boolean;
}

/** Things that last, over time: each a bar from its start to its end, as high up as it took long. */
export class DurationBars<T extends Lasting> {
  readonly #all: readonly T[];
  /** From the shortest to the longest: worked out once, since bars are drawn in each frame of a zoom. */
  readonly #reach: readonly [shortest: number, longest: number];

  constructor(all: readonly T[]) {
    const [shortest = 1e3, longest = 1e9] = extent(all, ({ dur }) => dur ?? undefined);
    this.#all = all;
    this.#reach = [shortest, longest];
  }

  #scales(range: TimeRange, { width, height }: Plot) {
    return { x: timeScale(range, width), y: durationScale(...this.#reach, [height, 0]) };
  }

  /** Draws the bars, kind by kind, with their axes. */
  draw(
    plot: Plot,
    range: TimeRange,
    origin_ns: number,
    kindsOf: (palette: Palette) => readonly BarKind<T>[],
  ): void {
    const { x, y } = this.#scales(range, plot);
    drawDurationAxis(plot, y, 'left');
    drawTimeAxis(plot, range, origin_ns);
    for (const { color, height_px, has } of kindsOf(plot.palette))
      plot.fill(color, (pen) => {
        for (const each of this.#all) {
          if (each.dur === null || !has(each)) continue;
          const left = Math.max(0, x(each.ts));
          const right = Math.min(plot.width, x(each.ts + each.dur));
          if (right < 0 || left > plot.width) continue;
          pen.rect(left, y(each.dur) - height_px / 2, Math.max(height_px, right - left), height_px);
        }
      });
  }

  /** What is nearest to a point, and no farther than `reach_px`; null if nothing is. */
  at({ x: px, y: py, range, plot }: PlotPoint, reach_px: number): T | null {
    const { x, y } = this.#scales(range, plot);
    const away = ({ ts, dur }: T) =>
      dur === null ? Infinity : Math.hypot(Math.max(0, x(ts) - px, px - x(ts + dur)), y(dur) - py);
    const nearest = least(this.#all, away);
    return nearest !== undefined && away(nearest) <= reach_px ? nearest : null;
  }
}
