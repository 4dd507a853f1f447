import { halvesOf, oncePerTrace, realsOf, type Query, type QueryResult } from '../../shared/engine/index.ts';
import columnsSql from './columns.sql';
import firstSql from './first.sql';
import longSql from './long.sql';

/** A wait that is not in the columns of {@link EndedWaits}. */
export interface ApartWait {
  /** When the thread was switched in. */
  readonly te: number;
  readonly waited_ns: number;
  /** What `at_least_ns` is compared with. */
  readonly longest_ns: number;
  /** True where it began before the trace: it was longer than `waited_ns`. */
  readonly at_least: boolean;
}

/** The waits of a trace that ended: columns of equal length, in the order of time at which threads became ready. */
export interface EndedWaits {
  /** When the thread was switched in. NaN: the wait is in `apart`. */
  readonly te: Float64Array;
  readonly blocked_ns: Uint32Array;
  readonly ready_ns: Uint32Array;
  /** Waits that began before the trace, and those with a part that is too long for the columns. */
  readonly apart: readonly ApartWait[];
}

/** Asks for the waits that ended: once a trace, whatever the range and the filters. */
export const loadEndedWaits = oncePerTrace(async (query): Promise<EndedWaits> => {
  const rows = await query(columnsSql);
  const { lower, upper } = halvesOf(rows, 'waited');
  const columns = {
    te: realsOf(rows, 'te'),
    blocked_ns: new Uint32Array(upper.buffer),
    ready_ns: new Uint32Array(lower.buffer),
  };
  const sinceStart = await loadSinceStart(query, columns);
  const before = new Set(sinceStart.map(({ te }) => te));
  const long = readLong(await query(longSql)).filter(({ te }) => !before.has(te));
  return { ...columns, apart: [...long, ...sinceStart] };
});

/** The waits that began before the trace; takes them out of the columns. */
async function loadSinceStart(query: Query, columns: Omit<EndedWaits, 'apart'>): Promise<ApartWait[]> {
  const first = await query(firstSql);
  const [ts, te, waited_ns] = [first.numbers('ts'), first.numbers('te'), first.numbers('waited_ns')];
  const taken = [...ts].map((at, row) => indexOfWait(columns, at, te[row] ?? 0));
  for (const index of taken) if (index !== null) columns.te[index] = NaN;
  return [...te].map((at, row) => {
    const waited = waited_ns[row] ?? 0;
    return { te: at, waited_ns: waited, longest_ns: waited, at_least: true };
  });
}

/** Where the columns have the wait of a thread that was ready at `ts` and switched in at `at_te`; null: nowhere. */
function indexOfWait({ te, ready_ns }: Omit<EndedWaits, 'apart'>, ts: number, at_te: number): number | null {
  const readyAt = (index: number) => (te[index] ?? Infinity) - (ready_ns[index] ?? 0);
  let [low, high] = [0, te.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (readyAt(middle) < ts) low = middle + 1;
    else high = middle;
  }
  for (let index = low; readyAt(index) === ts; index++) if (te[index] === at_te) return index;
  return null;
}

function readLong(rows: QueryResult): ApartWait[] {
  const [blocked_ns, ready_ns] = [rows.numbers('blocked_ns'), rows.numbers('ready_ns')];
  return [...rows.numbers('te')].map((te, row) => {
    const [blocked, ready] = [blocked_ns[row] ?? 0, ready_ns[row] ?? 0];
    return { te, waited_ns: blocked + ready, longest_ns: Math.max(blocked, ready), at_least: false };
  });
}
