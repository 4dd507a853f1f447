import { partAt, type Standing, type WaitParts } from '../../shared/why-late/index.ts';

/** A run on a CPU during a wait, and how it stands to the thread that waited: a row of `ran-runs.sql`. */
export interface StandingRun {
  readonly cpu: number;
  readonly ts: number;
  readonly te: number;
  readonly standing: Standing;
}

/** A stretch of time in which events are missing, of one CPU or (null) of all. */
export interface Gap {
  readonly cpu: number | null;
  readonly ts: number;
  readonly te: number;
}

/**
 * The parts of a wait that are looked at: windows of `window_ns`, one at the end of each `period_ns`, counted back from the
 * wait's end. Equal where all is looked at.
 */
export interface Windows {
  readonly period_ns: number;
  readonly window_ns: number;
}

/** A wait divided by what the CPUs did. */
export interface Swept {
  /** Sums to the length of the wait; scaled up from what the windows hold. */
  readonly parts: WaitParts;
  /** Length of the stretch with a free CPU that lasts to the end of the wait; 0 if there is none. */
  readonly final_ns: number;
}

/**
 * Goes through a wait from one start or end of a run to the next, and sums up what kept the thread from running. `runs`
 * must hold all that overlap a window.
 */
export function sweep(
  wait: { readonly ts: number; readonly dur: number },
  cpuCount: number,
  runs: readonly StandingRun[],
  gaps: readonly Gap[],
  windows: Windows,
): Swept {
  const end = wait.ts + wait.dur;
  const lookedAt = (from: number, to: number) =>
    seenBefore(end - from, windows) - seenBefore(end - to, windows);
  const running = new Array<Standing | null>(cpuCount).fill(null);
  const gapDepth = new Array<number>(cpuCount).fill(0);
  const parts = { rank: 0, priority: 0, free: 0, not_recorded: 0 };
  let at = wait.ts;
  let freeSince = Infinity;
  const goTo = (next: number) => {
    const to = Math.min(end, next);
    if (to <= at) return;
    const part = partNow(running, gapDepth);
    parts[part] += lookedAt(at, to);
    freeSince = part === 'free' ? Math.min(freeSince, at) : Infinity;
    at = to;
  };
  for (const { ts, cpu, change } of changesOf(runs, gaps, cpuCount)) {
    goTo(ts);
    if (change === 'gap' || change === 'gap_end') {
      gapDepth[cpu] = (gapDepth[cpu] ?? 0) + (change === 'gap' ? 1 : -1);
    } else {
      running[cpu] = change;
    }
  }
  goTo(end);
  return { parts: scaledTo(wait.dur, parts), final_ns: Math.max(0, end - freeSince) };
}

/** How much of the last `before_end_ns` of a wait lies in windows. */
function seenBefore(before_end_ns: number, { period_ns, window_ns }: Windows): number {
  const whole = Math.floor(before_end_ns / period_ns);
  return whole * window_ns + Math.min(window_ns, before_end_ns - whole * period_ns);
}

interface Change {
  readonly ts: number;
  readonly cpu: number;
  /** What the CPU runs from here; null: the end of a run. */
  readonly change: Standing | null | 'gap' | 'gap_end';
}

/** Starts and ends in order of time; ends come first, so that a run takes over from the one before. */
function changesOf(runs: readonly StandingRun[], gaps: readonly Gap[], cpuCount: number): Change[] {
  const starts: Change[] = runs.map(({ ts, cpu, standing }) => ({ ts, cpu, change: standing }));
  const ends: Change[] = runs.map(({ te, cpu }) => ({ ts: te, cpu, change: null }));
  const lost = gaps.flatMap(({ cpu: one, ts, te }) => {
    const cpus = one === null ? Array.from({ length: cpuCount }, (_, cpu) => cpu) : [one];
    return cpus.flatMap((cpu): Change[] => [
      { ts, cpu, change: 'gap' },
      { ts: te, cpu, change: 'gap_end' },
    ]);
  });
  return [...ends, ...starts, ...lost].sort((a, b) => a.ts - b.ts);
}

function partNow(running: readonly (Standing | null)[], gapDepth: readonly number[]): keyof WaitParts {
  const counts = { better_rank: 0, priority: 0, behind: 0, unknown: 0, idle: 0 };
  let missing = 0;
  running.forEach((standing, cpu) => {
    if (standing === null || (gapDepth[cpu] ?? 0) > 0) missing++;
    else counts[standing]++;
  });
  return partAt(counts, missing);
}

/** Parts in the same proportions that sum to `whole_ns` in whole ns; rounding goes to the largest. */
function scaledTo(whole_ns: number, parts: WaitParts): WaitParts {
  const seen = parts.rank + parts.priority + parts.free + parts.not_recorded;
  if (seen === 0) return { ...parts, not_recorded: whole_ns };
  const scaled = {
    rank: Math.round((parts.rank * whole_ns) / seen),
    priority: Math.round((parts.priority * whole_ns) / seen),
    free: Math.round((parts.free * whole_ns) / seen),
    not_recorded: Math.round((parts.not_recorded * whole_ns) / seen),
  };
  const over = scaled.rank + scaled.priority + scaled.free + scaled.not_recorded - whole_ns;
  const names = ['rank', 'priority', 'free', 'not_recorded'] as const;
  const largest = names.reduce((most, name) => (scaled[name] > scaled[most] ? name : most));
  return { ...scaled, [largest]: scaled[largest] - over };
}
