import { max } from 'd3';
import { oncePerTrace } from '../engine/index.ts';
import { dataOf, traceRow, grown, numberAt, type Batch, type Tables } from '../tables/index.ts';

const COLUMNS = ['ts', 'te', 'utid', 'cause', 'ended', 'last_switch_out_ts'] as const;
type WaitBatch = Batch<(typeof COLUMNS)[number]>;

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

/** Reads the waits that ended: once a trace, whatever the range and the filters. */
export const loadEndedWaits = oncePerTrace(async (query): Promise<EndedWaits> => {
  const { tables } = dataOf(query);
  const read = new ReadWaits(await tables.rowCount('etw_ready_wait'));
  for await (const batch of tables.batches('etw_ready_wait', COLUMNS)) read.add(batch);
  const unseen = await withoutRuns(tables, read.firstWakes());
  const since_start = new Set<number>();
  const waits = read.columns();
  const start_ts = Number((await traceRow(tables, ['start_ts']))?.start_ts ?? NaN);
  if (Number.isNaN(start_ts)) return { ...waits, since_start };
  for (const place of await placesBeforeTrace(tables, unseen)) {
    const te = waits.te[place] ?? 0;
    since_start.add(te);
    waits.waited_ns[place] = waits.longest_ns[place] = te - start_ts;
  }
  return { ...waits, since_start };
});

/** The first wait of a thread; its place among those that ended, or -1 where nothing says that it began before the trace. */
interface FirstWait {
  readonly ts: number;
  readonly place: number;
}

/** Waits that are read batch by batch. */
class ReadWaits {
  readonly #te: Float64Array;
  readonly #waited_ns: Float64Array;
  readonly #longest_ns: Float64Array;
  #count = 0;
  /** By thread: when its first wait began, and the place of that wait as {@link FirstWait} has it. */
  #first_ts = new Float64Array(1 << 10).fill(Infinity);
  #firstPlace = new Int32Array(1 << 10).fill(-1);

  /** Has room for so many: of tens of millions no column is made twice. */
  constructor(most: number) {
    this.#te = new Float64Array(most);
    this.#waited_ns = new Float64Array(most);
    this.#longest_ns = new Float64Array(most);
  }

  add({ rowCount, columns: { ts, te, utid, cause, ended, last_switch_out_ts: left } }: WaitBatch): void {
    const wake = cause.texts?.indexOf('wake') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      const begin = ts.values[row] ?? 0;
      const end = te.values[row] ?? 0;
      const hasEnded = ended.values[row] === 1;
      const wasSeen = left.present?.[row] !== 0;
      const blocked_ns = wasSeen ? begin - (left.values[row] ?? begin) : 0;
      const thread = utid.values[row] ?? 0;
      if (thread >= this.#first_ts.length) this.#makeRoom(2 * thread);
      if (begin < (this.#first_ts[thread] ?? Infinity)) {
        const isUnseen = hasEnded && !wasSeen && cause.values[row] === wake;
        this.#first_ts[thread] = begin;
        this.#firstPlace[thread] = isUnseen ? this.#count : -1;
      }
      if (!hasEnded) continue;
      this.#te[this.#count] = end;
      this.#waited_ns[this.#count] = blocked_ns + end - begin;
      this.#longest_ns[this.#count] = Math.max(blocked_ns, end - begin);
      this.#count++;
    }
  }

  /** The first waits of threads that were not seen to block before, by thread. */
  firstWakes(): Map<number, FirstWait> {
    const firsts = new Map<number, FirstWait>();
    this.#firstPlace.forEach((place, utid) => {
      if (place >= 0) firsts.set(utid, { ts: this.#first_ts[utid] ?? 0, place });
    });
    return firsts;
  }

  #makeRoom(threads: number): void {
    const before = this.#first_ts.length;
    this.#first_ts = grown(this.#first_ts, new Float64Array(threads).fill(Infinity, before));
    this.#firstPlace = grown(this.#firstPlace, new Int32Array(threads).fill(-1, before));
  }

  columns(): Omit<EndedWaits, 'since_start'> {
    const own = (column: Float64Array) => column.subarray(0, this.#count);
    return { te: own(this.#te), waited_ns: own(this.#waited_ns), longest_ns: own(this.#longest_ns) };
  }
}

/** The waits of threads that had not run before. */
async function withoutRuns(tables: Tables, firsts: Map<number, FirstWait>): Promise<Map<number, FirstWait>> {
  const last_ts = max(firsts.values(), ({ ts }) => ts) ?? -Infinity;
  const before = { start: -Infinity, end: last_ts };
  for await (const { rowCount, columns } of tables.batches('etw_run', ['ts', 'utid'], before)) {
    if (firsts.size === 0) break;
    for (let row = 0; row < rowCount; row++) {
      const utid = columns.utid.values[row] ?? 0;
      const first = firsts.get(utid);
      if (first !== undefined && (columns.ts.values[row] ?? 0) < first.ts) firsts.delete(utid);
    }
  }
  return firsts;
}

/** The places of the first waits of threads that were there before the trace. */
async function placesBeforeTrace(tables: Tables, firsts: ReadonlyMap<number, FirstWait>): Promise<number[]> {
  const places: number[] = [];
  if (firsts.size === 0) return places;
  for await (const { rowCount, columns } of tables.batches('etw_thread', ['utid', 'create_ts']))
    for (let row = 0; row < rowCount; row++) {
      const first = firsts.get(columns.utid.values[row] ?? 0);
      if (first !== undefined && numberAt(columns.create_ts, row) === null) places.push(first.place);
    }
  return places;
}
