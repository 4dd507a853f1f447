import { keepLast, type Query } from '../../shared/engine/index.ts';
import { dataOf, type Tables } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import { loadJudgedRanks } from '../../shared/why-late/columns/index.ts';
import type { CountedWaits, WaitBins } from './wait-bins.ts';

/** In place of a rank or a priority: none was recorded. */
const NO_RANK = 255;
const NO_PRIORITY = 63;

const keep = keepLast<CountedWaits>();

/** Counts all waits in the range, which may be the whole trace, by thread, rank, priority, cause and duration. */
export function countWaitsOfColumns(
  query: Query,
  { range_start: start, range_end: end }: { readonly range_start: number; readonly range_end: number },
  isWhole: boolean,
): Promise<CountedWaits> {
  return keep(query, isWhole ? 'whole' : `${start} ${end}`, async () => {
    const { outline, tables } = dataOf(query);
    // Most waits can be counted while the engine of the outline still loads.
    const [counted, names, judged] = await Promise.all([
      isWhole ? countAll(tables) : countSure(tables, 'etw_ready_wait', { start, end }),
      loadThreadNames(outline),
      loadJudgedRanks(query),
    ]);
    for (const { ts, dur, utid, rank, priority, preempted } of counted.doubtful)
      counted.counts.add(utid, judged.of(utid, ts)?.rank ?? rank, priority, preempted, dur);
    return { bins: counted.counts.bins(), names, one_in: 1 };
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

/** Counts the waits of the whole trace: most were counted when it was converted, and their ranks are not judged. */
async function countAll(tables: Tables): Promise<Counted> {
  const counted = await countSure(tables, 'etw_ready_wait_long', { start: -Infinity, end: Infinity });
  const names = ['utid', 'rank', 'priority', 'cause', 'bin', 'waits', 'sum_ns', 'max_ns'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_ready_wait_rest', names)) {
    const { utid, rank, priority, cause, bin, waits, sum_ns, max_ns } = columns;
    const preemption = cause.texts?.indexOf('preempted') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      const key = keyOf(
        rank.present?.[row] === 0 ? NO_RANK : (rank.values[row] ?? NO_RANK),
        priority.present?.[row] === 0 ? NO_PRIORITY : (priority.values[row] ?? NO_PRIORITY),
        Number(cause.values[row] === preemption),
        bin.values[row] ?? 0,
      );
      const [sum, max] = [sum_ns.values[row] ?? 0, max_ns.values[row] ?? 0];
      counted.counts.addMany(utid.values[row] ?? 0, key, waits.values[row] ?? 0, sum, max);
    }
  }
  return counted;
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

/** floor(100 log10 of a duration in ns); what is below 100 ns is in bin 200, as in `etw_ready_wait_bin`. */
export function binOf(dur_ns: number): number {
  return Math.trunc(Math.log(Math.max(dur_ns, 100)) * 43.42944819032518 + 1e-9);
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
    this.addMany(utid, keyOf(rank, priority, preempted, binOf(dur_ns)), 1, dur_ns, dur_ns);
  }

  /** Adds waits of a thread that are alike in the rest of their key. */
  addMany(utid: number, rest: number, waits: number, sum_ns: number, max_ns: number): void {
    const at = this.#find(utid, rest);
    const cells = this.#cells;
    cells[at + COUNT] = (cells[at + COUNT] ?? 0) + waits;
    cells[at + SUM_NS] = (cells[at + SUM_NS] ?? 0) + sum_ns;
    if (max_ns > (cells[at + MAX_NS] ?? 0)) cells[at + MAX_NS] = max_ns;
  }

  bins(): WaitBins {
    const [size, cells] = [this.#size, this.#cells];
    const numbers = () => new Float64Array(size);
    const bins = {
      ...{ utid: numbers(), rank: numbers(), priority: numbers() },
      ...{ preempted: new Uint8Array(size), bin: new Uint16Array(size) },
      ...{ count: numbers(), sum_ns: numbers(), max_ns: numbers() },
    };
    for (let key = 0; key < size; key++) {
      const at = key * STRIDE;
      const rest = cells[at + REST] ?? 0;
      const [rank, priority] = [rest >> 18, (rest >> 12) & 63];
      bins.utid[key] = cells[at + UTID] ?? 0;
      bins.rank[key] = rank === NO_RANK ? NaN : rank;
      bins.priority[key] = priority === NO_PRIORITY ? NaN : priority;
      bins.preempted[key] = (rest >> 11) & 1;
      bins.bin[key] = rest & 2047;
      bins.count[key] = cells[at + COUNT] ?? 0;
      bins.sum_ns[key] = cells[at + SUM_NS] ?? 0;
      bins.max_ns[key] = cells[at + MAX_NS] ?? 0;
    }
    return bins;
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

/** Spreads keys of which many differ in few bits. */
function hash(utid: number, rest: number): number {
  let mixed = Math.imul(utid, 0x9e3779b1) ^ Math.imul(rest, 0x85ebca6b);
  mixed ^= mixed >>> 15;
  return Math.imul(mixed, 0x2c1b3c6d) >>> 7;
}
