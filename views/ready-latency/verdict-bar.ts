import { formatDuration, formatShare } from '../../shared/model/index.ts';
import type { Meanwhile } from '../../shared/ready-waits/index.ts';
import { WHY_LABELS, type Why } from '../../shared/why-late/index.ts';
import {
  contrastOf,
  inkOn,
  whyColor,
  type Chart,
  type LegendEntry,
  type Margins,
  type Palette,
  type Plot,
} from '../kit/index.ts';

export const VERDICT_MARGINS: Margins = { top: 4, right: 16, bottom: 4, left: 56 };
/** The height of the bar with its margins, in px. */
export const VERDICT_HEIGHT = 30;

/** Room that a label in the bar takes, in px. */
const CHARACTER_PX = 6.6;
const PADDING_PX = 6;
/** Room that a letter takes. */
const LETTER_PX = 14;
/** How far lines are apart, and how long they are at the upper and lower edge, where no words are. */
const LINES_PX = 5;
const LINE_END_PX = 4;
/** What WCAG 2 asks of marks. */
const MARK_CONTRAST = 3;

/** What stands on a share that is too narrow for words, and in the legend: no colour is the only sign. */
const LETTERS: Readonly<Record<Why, string>> = {
  rank: 'R',
  priority: 'P',
  affinity: 'A',
  interrupt: 'I',
  frozen: 'F',
  asleep: 'Z',
  swapped_out: 'S',
  idle_wake_up: 'W',
  preemption_delay: 'D',
  not_explained: '?',
  not_recorded: '–',
};

/** The shares of a verdict as a legend: each with its length, so that the bar can be read without colours. */
export function verdictLegend(palette: Palette, { wait, verdict }: Meanwhile): readonly LegendEntry[] {
  return verdict.shares.map(({ why, ns }) => ({
    label: `${WHY_LABELS[why]} (${LETTERS[why]}): ${formatDuration(ns)}, ${formatShare(ns / wait.dur)}`,
    color: whyColor(palette, why),
    mark: why === 'not_recorded' ? 'hatch' : undefined,
  }));
}

/** The wait as one bar, divided by what kept the thread from running; largest share first, not in order of time. */
export function verdictChart({ wait, verdict }: Meanwhile): Chart {
  return (plot) => {
    let left = 0;
    for (const { why, ns } of verdict.shares) {
      const from = left;
      const width = (plot.width * ns) / wait.dur;
      left += width;
      if (why !== 'not_recorded') {
        plot.fill(whyColor(plot.palette, why), (pen) => pen.rect(from, 0, width, plot.height));
      }
      drawEdge(plot, why, from, width);
      drawLines(plot, why, from, width);
      const words = `${WHY_LABELS[why]} ${formatShare(ns / wait.dur)}`;
      const isWide = words.length * CHARACTER_PX + 2 * PADDING_PX <= width;
      if (!isWide && width < LETTER_PX) continue;
      plot.svg
        .append('text')
        .attr('x', isWide ? from + PADDING_PX : from + width / 2)
        .attr('text-anchor', isWide ? 'start' : 'middle')
        .attr('y', plot.height / 2)
        .attr('dy', '0.35em')
        .attr('fill', inkFor(plot.palette, why))
        .text(isWide ? words : LETTERS[why]);
    }
    plot.svg
      .append('rect')
      .attr('width', plot.width)
      .attr('height', plot.height)
      .attr('fill', 'none')
      .attr('stroke', plot.palette.muted);
  };
}

/** A line around a share whose colour hardly stands out from the background. */
function drawEdge(plot: Plot, why: Why, from: number, width: number): void {
  const { palette, height } = plot;
  if (contrastOf(whyColor(palette, why), palette.background) >= MARK_CONTRAST) return;
  plot.stroke(palette.muted, (pen) => pen.rect(from, 0, width, height));
}

/** Lines across what is not the CPUs' doing: upright where memory was swapped out, level where the machine slept. */
function drawLines(plot: Plot, why: Why, from: number, width: number): void {
  if (why !== 'swapped_out' && why !== 'asleep') return;
  const { palette, height } = plot;
  plot.stroke(inkFor(palette, why), (pen) => {
    if (why === 'swapped_out') {
      for (let x = from + LINES_PX; x < from + width; x += LINES_PX) {
        pen.moveTo(x, 0);
        pen.lineTo(x, LINE_END_PX);
        pen.moveTo(x, height - LINE_END_PX);
        pen.lineTo(x, height);
      }
      return;
    }
    for (const y of [LINE_END_PX - 1, height - LINE_END_PX + 1]) {
      pen.moveTo(from, y);
      pen.lineTo(from + width, y);
    }
  });
}

/** The colour of words on the bar; what is not recorded has no fill. */
function inkFor(palette: Palette, why: Why): string {
  return why === 'not_recorded' ? palette.muted : inkOn(palette, whyColor(palette, why));
}
