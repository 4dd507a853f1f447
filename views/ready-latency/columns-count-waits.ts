import { keepLast, type Query } from '../../shared/engine/index.ts';
import { dataOf, type Tables } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../../shared/why-late/columns/index.ts';
import type { CountedWaits, WaitBins } from './wait-bins.ts';

/** In place of a rank or a priority: none was recorded. */
const NO_RANK = 255;
const NO_PRIORITY = 63;

const keep = keepLast<CountedWaits>();

/** Counts all waits in the range by thread, rank, priority, cause and duration. */
export function countWaitsOfColumns(
  query: Query,
  { range_start: start, range_end: end }: { readonly range_start: number; readonly range_end: number },
): Promise<CountedWaits> {
  return keep(query, `${start} ${end}`, async () => {
    const { outline, tables } = dataOf(query);
    const names = await loadThreadNames(outline);
    const judged = await loadJudgedRanks(query);
    return { bins: await countBins(tables, judged, { start, end }), names, one_in: 1 };
  });
}

async function countBins(
  tables: Tables,
  judged: JudgedRanks,
  range: { readonly start: number; readonly end: number },
): Promise<WaitBins> {
  const counts = new Counts();
  const names = ['ts', 'dur', 'utid', 'rank', 'priority', 'cause'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_ready_wait', names, range)) {
    const { ts, dur, utid, rank, priority, cause } = columns;
    const preempted = cause.texts?.indexOf('preempted') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      const begin = ts.values[row] ?? 0;
      const length = dur.values[row] ?? 0;
      if (begin >= range.end || begin + length <= range.start) continue;
      const thread = utid.values[row] ?? 0;
      const recorded = rank.present?.[row] === 0 ? NO_RANK : (rank.values[row] ?? NO_RANK);
      counts.add(
        thread,
        judged.of(thread, begin)?.rank ?? recorded,
        priority.present?.[row] === 0 ? NO_PRIORITY : (priority.values[row] ?? NO_PRIORITY),
        Number(cause.values[row] === preempted),
        binOf(length),
        length,
      );
    }
  }
  return counts.bins();
}

/** floor(100 log10 of a duration in ns); what is below 100 ns is in bin 200, as in `etw_ready_wait_bin`. */
export function binOf(dur_ns: number): number {
  return Math.trunc(Math.log(Math.max(dur_ns, 100)) * 43.42944819032518 + 1e-9);
}

const FREE = -1;

/** Counts by a key of two numbers, in typed arrays: there can be hundreds of thousands of keys, and millions of waits. */
class Counts {
  /** Where the count of a key is: open addressing, a power of two of places. */
  #places = new Int32Array(1 << 12).fill(FREE);
  #size = 0;
  #utid = new Int32Array(1 << 11);
  /** Rank (8 bits), priority (6), preempted (1) and bin (11). */
  #rest = new Int32Array(1 << 11);
  #count = new Float64Array(1 << 11);
  #sum_ns = new Float64Array(1 << 11);
  #max_ns = new Float64Array(1 << 11);

  add(utid: number, rank: number, priority: number, preempted: number, bin: number, dur_ns: number): void {
    const rest = (rank << 18) | (priority << 12) | (preempted << 11) | bin;
    const at = this.#find(utid, rest);
    this.#count[at] = (this.#count[at] ?? 0) + 1;
    this.#sum_ns[at] = (this.#sum_ns[at] ?? 0) + dur_ns;
    if (dur_ns > (this.#max_ns[at] ?? 0)) this.#max_ns[at] = dur_ns;
  }

  bins(): WaitBins {
    const [utid, rest, size] = [this.#utid, this.#rest, this.#size];
    const orNaN = (value: number, none: number) => (value === none ? NaN : value);
    return {
      utid: Float64Array.from(utid.subarray(0, size)),
      rank: Float64Array.from(rest.subarray(0, size), (each) => orNaN(each >> 18, NO_RANK)),
      priority: Float64Array.from(rest.subarray(0, size), (each) => orNaN((each >> 12) & 63, NO_PRIORITY)),
      preempted: Uint8Array.from(rest.subarray(0, size), (each) => (each >> 11) & 1),
      bin: Uint16Array.from(rest.subarray(0, size), (each) => each & 2047),
      count: this.#count.slice(0, size),
      sum_ns: this.#sum_ns.slice(0, size),
      max_ns: this.#max_ns.slice(0, size),
    };
  }

  /** Where a key is counted; a new place if it is new. */
  #find(utid: number, rest: number): number {
    const mask = this.#places.length - 1;
    let place = hash(utid, rest) & mask;
    for (let at = this.#places[place] ?? FREE; at !== FREE; at = this.#places[place] ?? FREE) {
      if (this.#utid[at] === utid && this.#rest[at] === rest) return at;
      place = (place + 1) & mask;
    }
    if (this.#size * 2 >= this.#places.length) {
      this.#grow();
      return this.#find(utid, rest);
    }
    const at = this.#size++;
    this.#places[place] = at;
    this.#utid[at] = utid;
    this.#rest[at] = rest;
    return at;
  }

  #grow(): void {
    const capacity = this.#places.length;
    const more = <T extends Int32Array | Float64Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#utid = more(this.#utid, new Int32Array(capacity));
    this.#rest = more(this.#rest, new Int32Array(capacity));
    this.#count = more(this.#count, new Float64Array(capacity));
    this.#sum_ns = more(this.#sum_ns, new Float64Array(capacity));
    this.#max_ns = more(this.#max_ns, new Float64Array(capacity));
    this.#places = new Int32Array(2 * capacity).fill(FREE);
    const mask = 2 * capacity - 1;
    for (let at = 0; at < this.#size; at++) {
      let place = hash(this.#utid[at] ?? 0, this.#rest[at] ?? 0) & mask;
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
