import { halvesOf, realsOf, type Query, type QueryResult } from '../../shared/engine/index.ts';
import columnsSql from './columns.sql';
import type { EndedWaits } from './ended-waits.ts';
import firstSql from './first.sql';
import longSql from './long.sql';
import { timeOrder } from './time-order.ts';

/** The waits that have room in columns of 32 bits, in the order of time at which threads became ready. */
interface ShortWaits {
  /** NaN: the wait is told of elsewhere. */
  readonly te: Float64Array;
  readonly blocked_ns: Uint32Array;
  readonly ready_ns: Uint32Array;
}

/** Another wait. */
interface ApartWait {
  readonly te: number;
  readonly waited_ns: number;
  readonly longest_ns: number;
}

/** The waits that ended, by SQL: of a trace without columns. */
export async function endedBySql(query: Query): Promise<EndedWaits> {
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
  return inOrder(columns, [...long, ...sinceStart], before);
}

function inOrder(
  { te, blocked_ns, ready_ns }: ShortWaits,
  apart: readonly ApartWait[],
  since_start: ReadonlySet<number>,
): EndedWaits {
  const shortCount = te.reduce((count, at) => count + (Number.isNaN(at) ? 0 : 1), 0);
  const times = new Float64Array(shortCount + apart.length);
  const rows = new Uint32Array(shortCount);
  let filled = 0;
  for (let row = 0; row < te.length; row++) {
    const at = te[row] ?? NaN;
    if (Number.isNaN(at)) continue;
    rows[filled] = row;
    times[filled++] = at;
  }
  for (const wait of apart) times[filled++] = wait.te;
  const ends = new Float64Array(times.length);
  const waited_ns = new Float64Array(times.length);
  const longest_ns = new Float64Array(times.length);
  timeOrder(times).forEach((from, to) => {
    const row = rows[from] ?? 0;
    const [blocked, ready] = [blocked_ns[row] ?? 0, ready_ns[row] ?? 0];
    const other = from < shortCount ? null : apart[from - shortCount];
    ends[to] = times[from] ?? 0;
    waited_ns[to] = other?.waited_ns ?? blocked + ready;
    longest_ns[to] = other?.longest_ns ?? Math.max(blocked, ready);
  });
  return { te: ends, waited_ns, longest_ns, since_start };
}

/** The waits that began before the trace; takes them out of the columns. */
async function loadSinceStart(query: Query, columns: ShortWaits): Promise<ApartWait[]> {
  const first = await query(firstSql);
  const [ts, te, waited_ns] = [first.numbers('ts'), first.numbers('te'), first.numbers('waited_ns')];
  const taken = [...ts].map((at, row) => indexOfWait(columns, at, te[row] ?? 0));
  for (const index of taken) if (index !== null) columns.te[index] = NaN;
  return [...te].map((at, row) => {
    const waited = waited_ns[row] ?? 0;
    return { te: at, waited_ns: waited, longest_ns: waited };
  });
}

/** Where the columns have the wait of a thread that was ready at `ts` and switched in at `at_te`; null: nowhere. */
function indexOfWait({ te, ready_ns }: ShortWaits, ts: number, at_te: number): number | null {
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
    return { te, waited_ns: blocked + ready, longest_ns: Math.max(blocked, ready) };
  });
}
