import type { TimeRange } from '../../shared/view/index.ts';

/** The shortest range that can be zoomed to. */
const SHORTEST_NS = 1_000;

/** Moves and, if it must, shortens `range` so that it lies within `bounds` and is not shorter than 1 µs. */
export function clampRange(range: TimeRange, bounds: TimeRange): TimeRange {
  const whole_ns = bounds.end - bounds.start;
  const length_ns = Math.min(whole_ns, Math.max(SHORTEST_NS, Math.round(range.end - range.start)));
  const start = Math.min(bounds.end - length_ns, Math.max(bounds.start, Math.round(range.start)));
  return { start, end: start + length_ns };
}

/** Shortens (`factor` < 1) or lengthens `range` around the time `at`, which keeps its place on the screen. */
export function zoomRange(range: TimeRange, bounds: TimeRange, factor: number, at: number): TimeRange {
  return clampRange({ start: at - (at - range.start) * factor, end: at + (range.end - at) * factor }, bounds);
}

/** Moves `range` by a part of its own length. */
export function panRange(range: TimeRange, bounds: TimeRange, part: number): TimeRange {
  const by_ns = (range.end - range.start) * part;
  return clampRange({ start: range.start + by_ns, end: range.end + by_ns }, bounds);
}

/** The range that shows `span` with a margin of `part` of its length on both sides. */
export function rangeAround(span: TimeRange, bounds: TimeRange, part: number): TimeRange {
  const margin_ns = Math.max(SHORTEST_NS, (span.end - span.start) * part);
  return clampRange({ start: span.start - margin_ns, end: span.end + margin_ns }, bounds);
}
