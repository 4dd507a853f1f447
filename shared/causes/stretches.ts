import { firstWhere } from './rows.ts';

/** A stretch of trace time in ns; `te` is outside. */
export interface Span {
  readonly ts: number;
  readonly te: number;
}

/** Stretches that may overlap, as stretches that do not, in the order of time. */
export function merged(spans: readonly Span[]): readonly Span[] {
  const united: { ts: number; te: number }[] = [];
  for (const { ts, te } of [...spans].sort((a, b) => a.ts - b.ts)) {
    const last = united.at(-1);
    if (last !== undefined && ts <= last.te) last.te = Math.max(last.te, te);
    else if (te > ts) united.push({ ts, te });
  }
  return united;
}

/** The last of some merged stretches that begins before `at`; undefined if there is none. */
export function lastBefore(spans: readonly Span[], at: number): Span | undefined {
  return spans[firstWhere(spans.length, (place) => (spans[place]?.ts ?? 0) >= at) - 1];
}
