import * as d3 from 'd3';
import type { Change, Comparison, SideName } from '../../shared/compare/index.ts';
import { formatDuration } from '../../shared/model/index.ts';
import {
  drawValueAxis,
  type Hit,
  type LegendEntry,
  type Margins,
  type Palette,
  type Plot,
  type PlotPoint,
} from '../kit/index.ts';

export const MARGINS: Margins = { top: 8, right: 16, bottom: 24, left: 72 };

/** A block of time of one side. */
interface Bar {
  readonly side: SideName;
  /** The name of its trace, where a side has several; else null. */
  readonly trace: string | null;
  /** From and to, in ns from the start of the side's range. */
  readonly from_ns: number;
  readonly to_ns: number;
  readonly sum_ns: number;
  /** The sum for each second of the block, in ns. */
  readonly rate: number;
}

/** What the bars mean. */
export function blocksLegend({ series }: Palette): readonly LegendEntry[] {
  return [
    { label: 'A, upwards', color: series[1] },
    { label: 'B, downwards', color: series[0] },
  ];
}

/** How much of a row each block of time has: A upwards, B downwards, both from the start of their ranges. */
export class BlocksChart {
  readonly #bars: readonly Bar[];
  readonly #length_ns: number;
  readonly #most: Readonly<Record<SideName, number>>;

  constructor(comparison: Comparison, { proof }: Change) {
    const barsOf = (side: SideName) => {
      let from_ns = 0;
      const { traces } = comparison[side];
      return proof[side].blocks_ns.map((sum_ns, block): Bar => {
        const length_ns = comparison[side].blocks_ns[block] ?? 1;
        const trace = traces.length > 1 ? (traces[block] ?? '') : null;
        const bar = {
          side,
          trace,
          from_ns,
          to_ns: from_ns + length_ns,
          sum_ns,
          rate: (sum_ns * 1e9) / length_ns,
        };
        from_ns = bar.to_ns;
        return bar;
      });
    };
    const [a, b] = [barsOf('a'), barsOf('b')];
    this.#bars = [...a, ...b];
    this.#length_ns = d3.max(this.#bars, ({ to_ns }) => to_ns) ?? 1;
    this.#most = { a: d3.max(a, ({ rate }) => rate) ?? 0, b: d3.max(b, ({ rate }) => rate) ?? 0 };
  }

  readonly draw = (plot: Plot): void => {
    const { x, y } = this.#scales(plot);
    drawValueAxis(plot, y, 'left', (value) => (value === 0 ? '0' : `${formatDuration(Math.abs(value))}/s`));
    drawValueAxis(plot, x, 'bottom', (value) => `${d3.format('~g')(value)} s`);
    for (const side of ['a', 'b'] as const)
      plot.fill(plot.palette.series[side === 'a' ? 1 : 0], (pen) => {
        for (const bar of this.#bars) {
          if (bar.side !== side || bar.sum_ns === 0) continue;
          const left = x(bar.from_ns / 1e9);
          const far = y(side === 'a' ? bar.rate : -bar.rate);
          const width = Math.max(1, x(bar.to_ns / 1e9) - left - 1);
          pen.rect(left, Math.min(far, y(0)), width, Math.abs(far - y(0)));
        }
      });
    plot.stroke(plot.palette.muted, (pen) => {
      pen.moveTo(0, Math.round(y(0)) + 0.5);
      pen.lineTo(plot.width, Math.round(y(0)) + 0.5);
    });
  };

  readonly at = ({ x: px, y: py, plot }: Pick<PlotPoint, 'x' | 'y' | 'plot'>): Hit | null => {
    const { x, y } = this.#scales(plot);
    const [at_ns, side] = [x.invert(px) * 1e9, py <= y(0) ? 'a' : 'b'];
    const bar = this.#bars.find((each) => each.side === side && each.from_ns <= at_ns && at_ns < each.to_ns);
    if (bar === undefined || px < 0 || py < 0 || py > plot.height) return null;
    const seconds = (ns: number) => (ns / 1e9).toFixed(3);
    return {
      lines: [
        `${bar.side.toUpperCase()}: ${formatDuration(bar.sum_ns)}`,
        bar.trace ?? `from ${seconds(bar.from_ns)} s to ${seconds(bar.to_ns)} s of its range`,
      ],
    };
  };

  #scales({ width, height }: Plot) {
    const { a, b } = this.#most;
    const least = Math.max(a, b, 1) / 8;
    return {
      x: d3.scaleLinear([0, this.#length_ns / 1e9], [0, width]),
      y: d3.scaleLinear([-Math.max(b, least), Math.max(a, least)], [height, 0]),
    };
  }
}
