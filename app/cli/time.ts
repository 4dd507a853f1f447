import { formatTime, lackOfUnit, readTime, START_TS_NS } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { UsageError } from './command.ts';

/** Throws a {@link UsageError} where a time of an option lacks its unit. */
export function requireUnit(option: string, text: string, start_ns = START_TS_NS): void {
  const lack = lackOfUnit(`--${option}`, text, start_ns);
  if (lack !== null) throw new UsageError(lack);
}

/** Reads the time that an option takes, as {@link readTime} does; throws a {@link UsageError}. */
export function parseTime(option: string, text: string, start_ns: number): number {
  requireUnit(option, text, start_ns);
  const time_ns = readTime(text, start_ns);
  if (time_ns !== null) return time_ns;
  throw new UsageError(`--${option} takes a time such as 30.3s or 1000000000, not "${text}"`);
}

/**
 * The range that `--from` and `--to` name, as far as it lies in the trace; all of `whole` where they name none. Throws a
 * {@link UsageError} where nothing of the trace is left.
 */
export function readRange(whole: TimeRange, from: string | undefined, to: string | undefined): TimeRange {
  const start = from === undefined ? whole.start : parseTime('from', from, whole.start);
  const end = to === undefined ? whole.end : parseTime('to', to, whole.start);
  if (from !== undefined && to !== undefined && start >= end)
    throw new UsageError('--from must be before --to');
  if (from !== undefined && start >= whole.end)
    throw new UsageError(
      `--from ${from} is after the end of the trace, ${placeOf(whole.end, from, whole.start)}`,
    );
  if (to !== undefined && end <= whole.start)
    throw new UsageError(
      `--to ${to} is before the start of the trace, ${placeOf(whole.start, to, whole.start)}`,
    );
  return { start: Math.max(start, whole.start), end: Math.min(end, whole.end) };
}

/** An end of the trace, told as the time was given: ns on the trace clock if it has no unit. */
function placeOf(end_ns: number, given: string, start_ns: number): string {
  return /^\d+$/.test(given) ? `at ${end_ns} ns on the trace clock` : `at ${formatTime(end_ns, start_ns)}`;
}
