import type { Why } from '../../shared/why-late/index.ts';
import { seriesColor, type Palette } from './palette.ts';

/** The first series that has a tint of the hue of what is held. */
const SWAPPED_SERIES = 6;

/** The colour of what kept a ready thread from running. */
export function whyColor(palette: Palette, why: Why): string {
  const [rank, priority, wakeUp, held, delay] = palette.series;
  return {
    rank,
    priority,
    affinity: palette.accent,
    interrupt: palette.text,
    frozen: held,
    asleep: palette.grid,
    // The tint of the same hue: held, as a frozen process is.
    swapped_out: seriesColor(palette, SWAPPED_SERIES),
    idle_wake_up: wakeUp,
    preemption_delay: delay,
    not_explained: palette.muted,
    not_recorded: palette.hatch,
  }[why];
}
