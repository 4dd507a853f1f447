import { filled, orderOf } from '../tables/index.ts';
import { binOf, type WaitBins } from './wait-bins.ts';

/** In place of a rank or a priority: none was recorded. */
export const NO_RANK = 255;
export const NO_PRIORITY = 63;

/** Threads are counted in so many parts, a power of two: the counts of one part fit into a processor's cache. */
const PARTS = 256;
/** So many waits are put into the order of their parts at a time, at most: a part is fetched into the cache as seldom as that. */
const AT_ONCE = 1 << 21;
const FIRST_ROOM = 1 << 13;

/**
 * Counts of waits by thread, rank, priority, cause and duration. Millions of waits may have a million different keys, each anywhere among
 * these: so waits are first put into the order of parts, and then counted part by part.
 */
export class WaitCounts {
  readonly #parts = Array.from({ length: PARTS }, () => new PartCounts());
  #pending = new Pending(FIRST_ROOM);
  #pendingCount = 0;

  add(utid: number, rank: number, priority: number, preempted: number, dur_ns: number): void {
    if (this.#pendingCount === this.#pending.room) this.#makeRoom();
    const key = (rank << 18) | (priority << 12) | (preempted << 11) | binOf(dur_ns);
    this.#pending.put(this.#pendingCount++, utid, key, dur_ns);
  }

  /** How many keys there are. */
  get size(): number {
    this.#count();
    return this.#parts.reduce((size, part) => size + part.size, 0);
  }

  /** Fills the rows of bins from `from` on; those of a thread lie together. */
  fill(bins: WaitBins, from: number): void {
    this.#count();
    let row = from;
    for (const part of this.#parts) {
      part.fill(bins, row);
      row += part.size;
    }
  }

  #makeRoom(): void {
    if (this.#pending.room < AT_ONCE) this.#pending = this.#pending.grown();
    else this.#count();
  }

  /** Counts the waits that are pending. */
  #count(): void {
    const { sorted, ends } = this.#pending.inParts(this.#pendingCount);
    this.#pendingCount = 0;
    let from = 0;
    for (const [part, end] of ends.entries()) {
      this.#parts[part]?.addAll(sorted, from, end);
      from = end;
    }
  }
}

/** Waits that are to be counted: their threads, keys and durations. */
class Pending {
  /** For how many waits there is room. */
  readonly room: number;
  readonly utid: Uint32Array;
  readonly key: Uint32Array;
  readonly dur_ns: Float64Array;

  constructor(room: number) {
    this.room = room;
    this.utid = new Uint32Array(room);
    this.key = new Uint32Array(room);
    this.dur_ns = new Float64Array(room);
  }

  put(at: number, utid: number, key: number, dur_ns: number): void {
    this.utid[at] = utid;
    this.key[at] = key;
    this.dur_ns[at] = dur_ns;
  }

  /** The same waits, with more room. */
  grown(): Pending {
    const grown = new Pending(4 * this.room);
    grown.utid.set(this.utid);
    grown.key.set(this.key);
    grown.dur_ns.set(this.dur_ns);
    return grown;
  }

  /** The first `count` waits in the order of their parts, and where each part ends. */
  inParts(count: number): { readonly sorted: Pending; readonly ends: Uint32Array } {
    const { utid, key, dur_ns } = this;
    const next = new Uint32Array(PARTS);
    for (let at = 0; at < count; at++) {
      const part = partOf(utid[at] ?? 0);
      next[part] = (next[part] ?? 0) + 1;
    }
    let end = 0;
    for (let part = 0; part < PARTS; part++) {
      const size = next[part] ?? 0;
      next[part] = end;
      end += size;
    }
    const sorted = new Pending(count);
    for (let at = 0; at < count; at++) {
      const thread = utid[at] ?? 0;
      const part = partOf(thread);
      const place = next[part] ?? 0;
      next[part] = place + 1;
      sorted.put(place, thread, key[at] ?? 0, dur_ns[at] ?? 0);
    }
    return { sorted, ends: next };
  }
}

const partOf = (utid: number): number => utid & (PARTS - 1);

const FREE = -1;

/** What is counted of a key lies together, as the next key is anywhere else. */
const [UTID, KEY, COUNT, SUM_NS, MAX_NS, STRIDE] = [0, 1, 2, 3, 4, 5];

/** Counts of the waits of some threads, by thread and key, in typed arrays. */
class PartCounts {
  /** Where the count of a thread and key is: open addressing, a power of two of places. */
  #places = new Int32Array(1 << 8).fill(FREE);
  #size = 0;
  /** Of each the thread, the key, and what is counted. */
  #cells = new Float64Array(STRIDE << 7);

  get size(): number {
    return this.#size;
  }

  /** Counts the waits from `from` until before `end`. */
  addAll({ utid, key, dur_ns }: Pending, from: number, end: number): void {
    for (let wait = from; wait < end; wait++) {
      const at = this.#find(utid[wait] ?? 0, key[wait] ?? 0);
      const cells = this.#cells;
      const dur = dur_ns[wait] ?? 0;
      cells[at + COUNT] = (cells[at + COUNT] ?? 0) + 1;
      cells[at + SUM_NS] = (cells[at + SUM_NS] ?? 0) + dur;
      if (dur > (cells[at + MAX_NS] ?? 0)) cells[at + MAX_NS] = dur;
    }
  }

  /** Fills the rows of bins from `from` on, thread by thread. */
  fill(bins: WaitBins, from: number): void {
    const [size, cells] = [this.#size, this.#cells];
    const order = orderOf(filled(new Float64Array(size), (each) => cells[each * STRIDE + UTID] ?? 0));
    for (let each = 0; each < size; each++) {
      const at = (order[each] ?? 0) * STRIDE;
      const key = cells[at + KEY] ?? 0;
      const rank = key >> 18;
      const priority = (key >> 12) & 63;
      const row = from + each;
      bins.utid[row] = cells[at + UTID] ?? 0;
      bins.rank[row] = rank === NO_RANK ? NaN : rank;
      bins.priority[row] = priority === NO_PRIORITY ? NaN : priority;
      bins.preempted[row] = (key >> 11) & 1;
      bins.bin[row] = key & 2047;
      bins.count[row] = cells[at + COUNT] ?? 0;
      bins.sum_ns[row] = cells[at + SUM_NS] ?? 0;
      bins.max_ns[row] = cells[at + MAX_NS] ?? 0;
    }
  }

  /** Where the cells of a thread and key begin; new ones if it is new. */
  #find(utid: number, key: number): number {
    const mask = this.#places.length - 1;
    let place = hash(utid, key) & mask;
    for (let at = this.#places[place] ?? FREE; at !== FREE; at = this.#places[place] ?? FREE) {
      if (this.#cells[at + KEY] === key && this.#cells[at + UTID] === utid) return at;
      place = (place + 1) & mask;
    }
    if (this.#size * 2 >= this.#places.length) {
      this.#grow();
      return this.#find(utid, key);
    }
    const at = STRIDE * this.#size++;
    this.#places[place] = at;
    this.#cells[at + UTID] = utid;
    this.#cells[at + KEY] = key;
    return at;
  }

  #grow(): void {
    const capacity = this.#places.length;
    const cells = new Float64Array(STRIDE * capacity);
    cells.set(this.#cells);
    this.#cells = cells;
    this.#places = new Int32Array(2 * capacity).fill(FREE);
    const mask = 2 * capacity - 1;
    for (let each = 0; each < this.#size; each++) {
      const at = each * STRIDE;
      let place = hash(cells[at + UTID] ?? 0, cells[at + KEY] ?? 0) & mask;
      while (this.#places[place] !== FREE) place = (place + 1) & mask;
      this.#places[place] = at;
    }
  }
}

/** Spreads keys. Many of the keys differ in few bits. */
function hash(utid: number, key: number): number {
  let mixed = Math.imul(utid, 0x9e3779b1) ^ Math.imul(key, 0x85ebca6b);
  mixed ^= mixed >>> 15;
  return Math.imul(mixed, 0x2c1b3c6d) >>> 7;
}
