import * as d3 from 'd3';
import { brokenLines } from './fitted.ts';
import { drawStillLegend, type LegendEntry } from './legend.ts';
import { stillPalette } from './palette.ts';
import { drawShade } from './shade.ts';
import { stillPlot, type Chart, type Margins } from './plot.ts';
import type { TimeChart, TimeContext } from './time-plot.ts';

const WIDTH = 1200;
const PADDING = 24;
/** What stands between the padding at both sides. */
export const STILL_WIDTH = WIDTH - 2 * PADDING;

/** The width of a character, in its size: a little more than most have. */
const CHARACTER_EM = 0.56;
/** Space between the lines of one text, in px. */
const LINE_GAP = 4;

/** How a line of a {@link StillPage} looks; sizes in px. */
interface TextStyle {
  readonly size?: number;
  readonly color?: string;
  /** Space below. */
  readonly gap?: number;
}

/** A view's picture as one SVG, filled from the top down without measuring anything. */
export class StillPage {
  readonly #root;
  readonly #background;
  #y = PADDING;

  /** Begins the picture with the view's title and what the view cannot know. */
  constructor(container: HTMLElement, title: string, notes: readonly string[]) {
    this.#root = d3
      .select(container)
      .append('svg')
      .attr('xmlns', 'http://www.w3.org/2000/svg')
      .attr('font-family', 'Inter, Segoe UI, system-ui, sans-serif')
      .attr('font-size', 12);
    this.#background = this.#root.append('rect').attr('fill', stillPalette.background).attr('width', WIDTH);
    this.text(title, { size: 20, gap: 10 });
    for (const note of notes) this.text(note, { color: stillPalette.series[0], gap: 6 });
  }

  /** A text, in as many lines as it needs. */
  text(content: string, { size = 12, color = stillPalette.text, gap = 8 }: TextStyle = {}): void {
    const lines = brokenLines(content, Math.floor(STILL_WIDTH / (size * CHARACTER_EM)));
    lines.forEach((line, at) => {
      this.#y += size;
      this.#root
        .append('text')
        .attr('x', PADDING)
        .attr('y', this.#y)
        .attr('font-size', size)
        .attr('fill', color)
        .text(line);
      this.#y += at < lines.length - 1 ? LINE_GAP : gap;
    });
  }

  /** A legend in as many rows as it needs, each `row_px` high with the space below; `title`: what its colours are of. */
  legend(entries: readonly LegendEntry[], row_px = 22, title = ''): void {
    if (entries.length === 0) return;
    const row = this.#root.append('g').attr('transform', `translate(${PADDING},${this.#y})`);
    const look = { width: STILL_WIDTH, row_px, textColor: stillPalette.muted, title };
    this.#y += drawStillLegend(row, entries, look);
  }

  /** A chart over the whole width. */
  chart(height: number, margins: Margins, draw: Chart): void {
    this.charts(height, [{ width: STILL_WIDTH, margins, draw }]);
  }

  /** A chart over time and the whole width, with the chosen span shaded. */
  timeChart(
    height: number,
    margins: Margins,
    draw: TimeChart,
    { range, selection: { span } }: Pick<TimeContext, 'range' | 'selection'>,
  ): void {
    this.chart(height, margins, (plot) => {
      draw(plot, range);
      if (span !== null) drawShade(plot, range, span);
    });
  }

  /** Charts side by side. */
  charts(
    height: number,
    charts: readonly { readonly width: number; readonly margins: Margins; readonly draw: Chart }[],
  ): void {
    const gap = (STILL_WIDTH - d3.sum(charts, ({ width }) => width)) / Math.max(1, charts.length - 1);
    let x = PADDING;
    for (const { width, margins, draw } of charts) {
      stillPlot(this.#root, { x, y: this.#y, width, height }, margins, draw);
      x += width + gap;
    }
    this.#y += height;
  }

  /** Space of so many px. */
  space(height: number): void {
    this.#y += height;
  }

  /** Ends the picture, and returns what removes it. */
  finish(): () => void {
    const height = this.#y + PADDING;
    this.#background.attr('height', height);
    this.#root.attr('width', WIDTH).attr('height', height).attr('viewBox', `0 0 ${WIDTH} ${height}`);
    return () => this.#root.remove();
  }
}
