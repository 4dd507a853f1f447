import * as d3 from 'd3';
import { formatCount, formatDuration } from '../../shared/model/index.ts';
import { drawTimeAxis, drawValueAxis, timeScale } from './axes.ts';
import { timePicture, type Block, type Picture } from './blocks.ts';

/** How many came and went in each of some steps of time, which follow one another. */
export interface Turnover {
  readonly origin_ns: number;
  /** Where the steps begin, and how long each is. */
  readonly ts: number;
  readonly dur: number;
  readonly came: readonly number[];
  readonly went: readonly number[];
}

/** How it is shown, and what those that came and went are called. */
interface TurnoverLook extends Omit<Picture, 'timed' | 'draw' | 'legend'> {
  readonly words: readonly [came: string, went: string];
}

/** What came as bars upwards, what went as bars downwards. A rate per second would make hundreds of the one that falls into a short step. */
export function turnoverPicture(
  { origin_ns, ts, dur, came, went }: Turnover,
  { words, ...look }: TurnoverLook,
): Block {
  const [up, down] = [d3.max(came) ?? 0, d3.max(went) ?? 0];
  const least = Math.max(1, (up + down) / 8);
  return timePicture({
    ...look,
    legend: ({ series }) => [
      { label: `${words[0]} in each ${formatDuration(dur)} (up)`, color: series[1] },
      { label: `${words[1]} in each ${formatDuration(dur)} (down)`, color: series[0] },
    ],
    draw(plot, range) {
      const x = timeScale(range, plot.width).clamp(true);
      const y = d3.scaleLinear([-Math.max(down, least), Math.max(up, least)], [plot.height, 0]);
      drawTimeAxis(plot, range, origin_ns);
      drawValueAxis(plot, y, 'left', (value) => formatCount(Math.abs(Math.round(value))));
      const bars = (counts: readonly number[], color: string, sign: 1 | -1) =>
        plot.fill(color, (pen) =>
          counts.forEach((count, step) => {
            if (count === 0) return;
            const left = x(ts + step * dur);
            const width = Math.max(1, x(ts + (step + 1) * dur) - left);
            const far = y(sign * count);
            pen.rect(left, Math.min(far, y(0)), width, Math.abs(far - y(0)));
          }),
        );
      bars(came, plot.palette.series[1], 1);
      bars(went, plot.palette.series[0], -1);
    },
  });
}
