import { formatDuration, formatShare } from '../../shared/model/index.ts';
import { WHY_LABELS, type Why } from '../../shared/why-late/index.ts';
import type { Chart, LegendEntry, Margins, Palette } from '../kit/index.ts';
import type { Meanwhile } from './model.ts';

export const VERDICT_MARGINS: Margins = { top: 4, right: 16, bottom: 4, left: 56 };
/** The height of the bar with its margins, in px. */
export const VERDICT_HEIGHT = 30;

/** Room that a label in the bar takes, in px. */
const CHARACTER_PX = 6.6;
const PADDING_PX = 6;

/** The shares of a verdict as a legend: each with its length, so that the bar can be read without colours. */
export function verdictLegend(palette: Palette, { wait, verdict }: Meanwhile): readonly LegendEntry[] {
  return verdict.shares.map(({ why, ns }) => ({
    label: `${WHY_LABELS[why]}: ${formatDuration(ns)}, ${formatShare(ns / wait.dur)}`,
    color: whyColor(palette, why),
    mark: why === 'not_recorded' ? 'hatch' : 'fill',
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
      const label = `${WHY_LABELS[why]} ${formatShare(ns / wait.dur)}`;
      if (label.length * CHARACTER_PX + 2 * PADDING_PX > width) continue;
      plot.svg
        .append('text')
        .attr('x', from + PADDING_PX)
        .attr('y', plot.height / 2)
        .attr('dy', '0.35em')
        .attr('fill', why === 'not_recorded' ? plot.palette.muted : plot.palette.background)
        .text(label);
    }
    plot.svg
      .append('rect')
      .attr('width', plot.width)
      .attr('height', plot.height)
      .attr('fill', 'none')
      .attr('stroke', plot.palette.hatch);
  };
}

function whyColor(palette: Palette, why: Why): string {
  const [rank, priority, wakeUp, held, delay] = palette.series;
  return {
    rank,
    priority,
    affinity: palette.accent,
    interrupt: palette.text,
    frozen: held,
    asleep: palette.grid,
    swapped_out: held,
    idle_wake_up: wakeUp,
    preemption_delay: delay,
    not_explained: palette.muted,
    not_recorded: palette.hatch,
  }[why];
}
