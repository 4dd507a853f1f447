import { oncePerTrace } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { endedBySql } from './ended-by-sql.ts';
import { endedOfColumns } from './ended-of-columns.ts';

/** The waits of a trace that ended: columns of equal length, in the order of time at which they ended. */
export interface EndedWaits {
  /** When the thread was switched in. */
  readonly te: Float64Array;
  /** Blocked and ready. */
  readonly waited_ns: Float64Array;
  /** Blocked or ready, the longer: what a least length is compared with. */
  readonly longest_ns: Float64Array;
  /** The `te` of those that began before the trace: they were longer. */
  readonly since_start: ReadonlySet<number>;
}

/** Asks for the waits that ended: once a trace, whatever the range and the filters. */
export const loadEndedWaits = oncePerTrace((query): Promise<EndedWaits> =>
  dataOf(query).hasColumns ? endedOfColumns(query) : endedBySql(query),
);
