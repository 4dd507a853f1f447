import { group, max } from 'd3';
import { dataOf, numberAt } from '../../tables/index.ts';
import { loadMachine } from '../../why-late/columns/index.ts';
import type { Measure, Recording } from './index.ts';
import { processesOf } from './processes-of.ts';

/** A block that a thread ended counts from here on. */
const BLOCKED_NS = 1_000_000_000;
/** What one thread ends without a pause as long as this in which it could run is one moment. */
const PAUSE_NS = 1_000_000;

/** A thread that had been blocked for long, and was readied. */
interface Released {
  readonly te: number;
  readonly dur: number;
  readonly utid: number;
  readonly waker_utid: number;
}

/** Moments in which one thread set at least as many threads free as the threshold says, which had been blocked for a second or more. */
export const released: Measure = {
  columns: ['ts', 'dur', 'utid', 'longest_ns', 'threads', 'processes'],
  async rows(recording, threshold) {
    const threadsOf = (waits: readonly Released[]) => new Set(waits.map(({ utid }) => utid)).size;
    const ofWakers = [...group(await releasedThreads(recording), ({ waker_utid }) => waker_utid)].filter(
      ([, waits]) => threadsOf(waits) >= threshold,
    );
    const asides = await putAside(recording, new Set(ofWakers.map(([waker]) => waker)));
    const processes = await processesOf(recording);
    return ofWakers
      .flatMap(([waker, waits]) =>
        momentsOf(waits, asides.get(waker) ?? [])
          .filter((moment) => threadsOf(moment) >= threshold)
          .map((moment) => {
            const [from = 0, to = 0] = [moment[0]?.te, moment.at(-1)?.te];
            const longest_ns = max(moment, ({ dur }) => dur) ?? 0;
            return [from, to - from, waker, longest_ns, threadsOf(moment), processes.count(moment)];
          }),
      )
      .sort((a, b) => (b[3] ?? 0) - (a[3] ?? 0));
  },
};

/** Waits that one thread ended, in the order of time, cut where it paused. */
function momentsOf(waits: readonly Released[], asides: readonly Span[]): Released[][] {
  const moments: Released[][] = [];
  let [before_te, aside] = [-Infinity, 0];
  for (const wait of [...waits].sort((a, b) => a.te - b.te)) {
    let pause_ns = wait.te - before_te;
    // While those that it woke keep it from its CPU it pauses not.
    for (; (asides[aside]?.ts ?? Infinity) < wait.te; aside++) {
      const { ts = 0, te = 0 } = asides[aside] ?? {};
      if (ts >= before_te) pause_ns -= Math.min(te, wait.te) - ts;
    }
    const moment = moments.at(-1);
    const isNext = wait.te - before_te < PAUSE_NS || pause_ns < PAUSE_NS;
    if (moment !== undefined && isNext) moment.push(wait);
    else moments.push([wait]);
    before_te = wait.te;
  }
  return moments;
}

const WAIT_COLUMNS = ['ts', 'utid', 'cause', 'waker_utid', 'last_switch_out_ts'] as const;

/** The first wait of a thread that was not switched out before. */
interface FirstWait {
  readonly ts: number;
  readonly waker_utid: number | null;
}

async function releasedThreads({ query }: Recording): Promise<Released[]> {
  const found: Released[] = [];
  const firsts = new Map<number, FirstWait>();
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_ready_wait', WAIT_COLUMNS)) {
    const wake = columns.cause.texts?.indexOf('wake') ?? -1;
    const { present } = columns.last_switch_out_ts;
    for (let row = 0; row < rowCount; row++) {
      const ts = columns.ts.values[row] ?? 0;
      const utid = columns.utid.values[row] ?? 0;
      if (present?.[row] === 0) {
        if (ts < (firsts.get(utid)?.ts ?? Infinity))
          firsts.set(utid, { ts, waker_utid: numberAt(columns.waker_utid, row) });
        continue;
      }
      const dur = ts - (columns.last_switch_out_ts.values[row] ?? ts);
      if (dur < BLOCKED_NS || columns.cause.values[row] !== wake) continue;
      const waker_utid = numberAt(columns.waker_utid, row);
      if (waker_utid !== null) found.push({ te: ts, dur, utid, waker_utid });
    }
  }
  return [...found, ...(await blockedBefore(query, firsts))];
}

/** The threads that were blocked since before the trace, of those with a first wait. */
async function blockedBefore(
  query: Recording['query'],
  firsts: ReadonlyMap<number, FirstWait>,
): Promise<Released[]> {
  const { tables } = dataOf(query);
  const { start_ts } = await loadMachine(tables);
  const older = new Map<number, FirstWait>();
  for await (const { rowCount, columns } of tables.batches('etw_thread', ['utid', 'create_ts'])) {
    for (let row = 0; row < rowCount; row++) {
      const utid = columns.utid.values[row] ?? 0;
      const first = firsts.get(utid);
      if (first === undefined || numberAt(columns.create_ts, row) !== null) continue;
      if (first.ts - start_ts >= BLOCKED_NS) older.set(utid, first);
    }
  }
  const before = { start: start_ts, end: max(older.values(), ({ ts }) => ts) ?? -Infinity };
  if (older.size > 0) {
    for await (const { rowCount, columns } of tables.batches('etw_run', ['ts', 'utid'], before)) {
      for (let row = 0; row < rowCount; row++) {
        const utid = columns.utid.values[row] ?? 0;
        const first = older.get(utid);
        if (first !== undefined && (columns.ts.values[row] ?? 0) < first.ts) older.delete(utid);
      }
    }
  }
  return [...older].flatMap(([utid, { ts, waker_utid }]) =>
    waker_utid === null ? [] : [{ te: ts, dur: ts - start_ts, utid, waker_utid }],
  );
}

interface Span {
  readonly ts: number;
  readonly te: number;
}

/** When others kept threads from their CPUs, of each in the order of time. */
async function putAside({ query }: Recording, utids: ReadonlySet<number>): Promise<Map<number, Span[]>> {
  const found = new Map([...utids].map((utid): [number, Span[]] => [utid, []]));
  if (found.size === 0) return found;
  const columns = ['ts', 'te', 'utid', 'cause'] as const;
  for await (const batch of dataOf(query).tables.batches('etw_ready_wait', columns)) {
    const { ts, te, utid, cause } = batch.columns;
    const preempted = cause.texts?.indexOf('preempted') ?? -1;
    for (let row = 0; row < batch.rowCount; row++) {
      if (cause.values[row] !== preempted) continue;
      const span = { ts: ts.values[row] ?? 0, te: te.values[row] ?? 0 };
      found.get(utid.values[row] ?? 0)?.push(span);
    }
  }
  return found;
}
