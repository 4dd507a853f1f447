import { spansOf, type Spans } from './overlaps.ts';
import type { RankCase } from './rank-case.ts';
import type { RankDoubt } from './rank-doubts.ts';

/** The parts of waits that are looked at. */
export interface RankWindows {
  readonly spans: Spans;
  /** Which of the waits each is of. */
  readonly waitOf: Uint32Array;
}

/** How many of each wait. */
const WINDOWS = 8;
/** About so many runs are looked at in all of them. */
const RUNS_OF_WINDOWS = 300_000;
const DENSITY_NS = 10_000_000;

/**
 * What is looked at of some waits in doubt: 8 windows of each, which together are the whole wait where all the waits in doubt are short
 * enough for that.
 */
export function rankWindows(
  { doubts, density }: Pick<RankCase, 'doubts' | 'density'>,
  waits: readonly RankDoubt[],
): RankWindows {
  const whole_ns = doubts.reduce((sum, { ts, te }) => sum + te - ts, 0);
  const share = Math.min(1, (RUNS_OF_WINDOWS * DENSITY_NS) / Math.max(1, whole_ns * density));
  const windows = waits.flatMap(({ ts, te }, wait) =>
    Array.from({ length: WINDOWS }, (_, part) => {
      const edge = (number: number) => ts + Math.floor(((te - ts) * number) / WINDOWS);
      const [from, to] = [edge(part), edge(part + 1)];
      const aside_ns = Math.floor(((to - from) * (1 - share)) / 2);
      return { wait, from: from + aside_ns, to: to - aside_ns };
    }).filter(({ from, to }) => to > from),
  );
  const starts = Float64Array.from(windows, ({ from }) => from);
  const { spans, order } = spansOf(starts, (index) => windows[index]?.to ?? 0);
  return { spans, waitOf: Uint32Array.from(order, (index) => windows[index]?.wait ?? 0) };
}
