import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Batch, type Bounds, type Tables } from '../tables/index.ts';
import { loadThreadNames } from '../threads/index.ts';
import { loadJudgedRanks } from '../why-late/columns/index.ts';
import { binOf, type CountedWaits, type WaitBins } from './wait-bins.ts';

/** In place of a rank or a priority: none was recorded. */
const NO_RANK = 255;
const NO_PRIORITY = 63;

const keep = keepLast<CountedWaits>();

/** Counts all waits in the range, which may be the whole trace, by thread, rank, priority, cause and duration. */
export function countWaits(
  query: Query,
  { range_start: start, range_end: end }: Bounds,
  isWhole: boolean,
): Promise<CountedWaits> {
  return keep(query, isWhole ? 'whole' : `${start} ${end}`, async () => {
    const { tables } = dataOf(query);
    const [{ counts, doubtful }, rest, names, judged] = await Promise.all([
      isWhole
        ? countSure(tables, 'etw_ready_wait_long', { start: -Infinity, end: Infinity })
        : countSure(tables, 'etw_ready_wait', { start, end }),
      isWhole ? readRest(tables) : [],
      loadThreadNames(tables),
      loadJudgedRanks(query),
    ]);
    for (const { ts, dur, utid, rank, priority, preempted } of doubtful)
      counts.add(utid, judged.of(utid, ts)?.rank ?? rank, priority, preempted, dur);
    return { bins: joined(rest, counts), names };
  });
}

/** A wait before and after which different ranks were recorded. */
interface Doubtful {
  readonly ts: number;
  readonly dur: number;
  readonly utid: number;
  readonly rank: number;
  readonly priority: number;
  readonly preempted: number;
}

interface Counted {
  readonly counts: Counts;
  readonly doubtful: readonly Doubtful[];
}

const REST_COLUMNS = ['utid', 'rank', 'priority', 'cause', 'bin', 'waits', 'sum_ns', 'max_ns'] as const;
type Rest = Batch<(typeof REST_COLUMNS)[number]>;

/** The waits of the whole trace that were counted when it was converted: their ranks are not judged. */
async function readRest(tables: Tables): Promise<readonly Rest[]> {
  const rest: Rest[] = [];
  for await (const batch of tables.batches('etw_ready_wait_rest', REST_COLUMNS, undefined, 'once'))
    rest.push(batch);
  return rest;
}

/** All that is counted. Waits that are alike may be in two rows: one of those from the conversion, and one of the longest. */
function joined(rest: readonly Rest[], counts: Counts): WaitBins {
  const size = rest.reduce((rows, { rowCount }) => rows + rowCount, counts.size);
  const numbers = () => new Float64Array(size);
  const bins: WaitBins = {
    ...{ utid: numbers(), rank: numbers(), priority: numbers() },
    ...{ preempted: new Uint8Array(size), bin: new Uint16Array(size) },
    ...{ count: numbers(), sum_ns: numbers(), max_ns: numbers() },
  };
  let from = 0;
  for (const { rowCount, columns } of rest) {
    bins.utid.set(columns.utid.values, from);
    bins.rank.set(columns.rank.values, from);
    bins.priority.set(columns.priority.values, from);
    bins.bin.set(columns.bin.values, from);
    bins.count.set(columns.waits.values, from);
    bins.sum_ns.set(columns.sum_ns.values, from);
    bins.max_ns.set(columns.max_ns.values, from);
    const preemption = columns.cause.texts?.indexOf('preempted') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      bins.preempted[from + row] = Number(columns.cause.values[row] === preemption);
      if (columns.rank.present?.[row] === 0) bins.rank[from + row] = NaN;
      if (columns.priority.present?.[row] === 0) bins.priority[from + row] = NaN;
    }
    from += rowCount;
  }
  counts.fill(bins, from);
  return bins;
}

/** Counts the waits whose rank needs no judgement, and gives the others. */
async function countSure(
  tables: Tables,
  table: 'etw_ready_wait' | 'etw_ready_wait_long',
  range: { readonly start: number; readonly end: number },
): Promise<Counted> {
  const counts = new Counts();
  const doubtful: Doubtful[] = [];
  const names = ['ts', 'te', 'utid', 'rank', 'rank_before', 'rank_after', 'priority', 'cause'] as const;
  for await (const { rowCount, columns } of tables.batches(table, names, range)) {
    const { ts, te, utid, rank, rank_before: before, rank_after: after, priority, cause } = columns;
    const preemption = cause.texts?.indexOf('preempted') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      const begin = ts.values[row] ?? 0;
      const end = te.values[row] ?? 0;
      if (begin >= range.end || end <= range.start) continue;
      const length = end - begin;
      const thread = utid.values[row] ?? 0;
      const recorded = rank.present?.[row] === 0 ? NO_RANK : (rank.values[row] ?? NO_RANK);
      const known = priority.present?.[row] === 0 ? NO_PRIORITY : (priority.values[row] ?? NO_PRIORITY);
      const preempted = Number(cause.values[row] === preemption);
      if (before.values[row] === after.values[row]) counts.add(thread, recorded, known, preempted, length);
      else
        doubtful.push({ ts: begin, dur: length, utid: thread, rank: recorded, priority: known, preempted });
    }
  }
  return { counts, doubtful };
}

/** What waits of a thread are counted by. */
function keyOf(rank: number, priority: number, preempted: number, bin: number): number {
  return (rank << 18) | (priority << 12) | (preempted << 11) | bin;
}

const FREE = -1;

/** What is counted of a key lies together, as the next key is anywhere else. */
const [UTID, REST, COUNT, SUM_NS, MAX_NS, STRIDE] = [0, 1, 2, 3, 4, 5];

/** Counts by a key of two numbers, in typed arrays: there can be hundreds of thousands of keys, and millions of waits. */
class Counts {
  /** Where the count of a key is: open addressing, a power of two of places. */
  #places = new Int32Array(1 << 12).fill(FREE);
  #size = 0;
  /** Of each key the thread, the rest (rank in 8 bits, priority in 6, preempted in 1, bin in 11), and what is counted. */
  #cells = new Float64Array(STRIDE << 11);

  add(utid: number, rank: number, priority: number, preempted: number, dur_ns: number): void {
    const at = this.#find(utid, keyOf(rank, priority, preempted, binOf(dur_ns)));
    const cells = this.#cells;
    cells[at + COUNT] = (cells[at + COUNT] ?? 0) + 1;
    cells[at + SUM_NS] = (cells[at + SUM_NS] ?? 0) + dur_ns;
    if (dur_ns > (cells[at + MAX_NS] ?? 0)) cells[at + MAX_NS] = dur_ns;
  }

  get size(): number {
    return this.#size;
  }

  /** Fills the rows of bins from `from` on. */
  fill(bins: WaitBins, from: number): void {
    const [size, cells] = [this.#size, this.#cells];
    for (let key = 0; key < size; key++) {
      const at = key * STRIDE;
      const rest = cells[at + REST] ?? 0;
      const rank = rest >> 18;
      const priority = (rest >> 12) & 63;
      const row = from + key;
      bins.utid[row] = cells[at + UTID] ?? 0;
      bins.rank[row] = rank === NO_RANK ? NaN : rank;
      bins.priority[row] = priority === NO_PRIORITY ? NaN : priority;
      bins.preempted[row] = (rest >> 11) & 1;
      bins.bin[row] = rest & 2047;
      bins.count[row] = cells[at + COUNT] ?? 0;
      bins.sum_ns[row] = cells[at + SUM_NS] ?? 0;
      bins.max_ns[row] = cells[at + MAX_NS] ?? 0;
    }
  }

  /** Where the cells of a key begin; new ones if it is new. */
  #find(utid: number, rest: number): number {
    const mask = this.#places.length - 1;
    let place = hash(utid, rest) & mask;
    for (let at = this.#places[place] ?? FREE; at !== FREE; at = this.#places[place] ?? FREE) {
      if (this.#cells[at + REST] === rest && this.#cells[at + UTID] === utid) return at;
      place = (place + 1) & mask;
    }
    if (this.#size * 2 >= this.#places.length) {
      this.#grow();
      return this.#find(utid, rest);
    }
    const at = STRIDE * this.#size++;
    this.#places[place] = at;
    this.#cells[at + UTID] = utid;
    this.#cells[at + REST] = rest;
    return at;
  }

  #grow(): void {
    const capacity = this.#places.length;
    const cells = new Float64Array(STRIDE * capacity);
    cells.set(this.#cells);
    this.#cells = cells;
    this.#places = new Int32Array(2 * capacity).fill(FREE);
    const mask = 2 * capacity - 1;
    for (let key = 0; key < this.#size; key++) {
      const at = key * STRIDE;
      let place = hash(cells[at + UTID] ?? 0, cells[at + REST] ?? 0) & mask;
      while (this.#places[place] !== FREE) place = (place + 1) & mask;
      this.#places[place] = at;
    }
  }
}

/** Spreads keys. Many of the keys differ in few bits. */
function hash(utid: number, rest: number): number {
  let mixed = Math.imul(utid, 0x9e3779b1) ^ Math.imul(rest, 0x85ebca6b);
  mixed ^= mixed >>> 15;
  return Math.imul(mixed, 0x2c1b3c6d) >>> 7;
}
