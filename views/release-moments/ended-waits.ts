import type { Query } from '../../shared/engine/index.ts';
import firstSql from './first.sql';
import waitsSql from './waits.sql';

/** Waits that ended in a range, blocked or ready for `at_least_ns` or more: columns of equal length. */
export interface EndedWaits {
  readonly at_least_ns: number;
  /** When the thread was switched in. */
  readonly te: Float64Array;
  readonly blocked_ns: Float64Array;
  readonly ready_ns: Float64Array;
  /** Where the wait began before the trace, how long it was at least, by `te`. */
  readonly sinceStart_ns: ReadonlyMap<number, number>;
}

/** What was asked for last, by trace: longer waits of the same range are among these. */
const kept = new WeakMap<Query, { readonly key: string; readonly waits: EndedWaits }>();

/** Asks for the waits that ended in the range; they may be more than were asked for. */
export async function loadEndedWaits(
  query: Query,
  bounds: { readonly range_start: number; readonly range_end: number },
  at_least_ns: number,
): Promise<EndedWaits> {
  const key = `${bounds.range_start} ${bounds.range_end}`;
  const before = kept.get(query);
  if (before?.key === key && before.waits.at_least_ns <= at_least_ns) return before.waits;
  const rows = await query(waitsSql, { ...bounds, at_least_ns });
  const first = await query(firstSql, bounds);
  const waited_ns = first.numbers('waited_ns');
  const waits = {
    at_least_ns,
    te: rows.numbers('te'),
    blocked_ns: rows.numbers('blocked_ns'),
    ready_ns: rows.numbers('ready_ns'),
    sinceStart_ns: new Map([...first.numbers('te')].map((te, index) => [te, waited_ns[index] ?? 0])),
  };
  kept.set(query, { key, waits });
  return waits;
}
