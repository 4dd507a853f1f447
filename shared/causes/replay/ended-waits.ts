import { countOfKeys, type RowNumbers } from '../rows.ts';

/** In place of a wait. */
export const NO_WAIT = -1;

/** Waits by thread that no run came after so far. They are in the order of their ends. */
export class EndedWaits {
  readonly #utids: RowNumbers;
  readonly #ends: RowNumbers;
  /** By key of a thread: the first and the last of its waits. */
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  /** By wait: the next one of its thread. */
  readonly #next: Int32Array;
  #read = 0;

  constructor(utids: RowNumbers, ends: RowNumbers) {
    [this.#utids, this.#ends] = [utids, ends];
    this.#first = new Int32Array(countOfKeys(utids)).fill(NO_WAIT);
    this.#last = this.#first.slice();
    this.#next = new Int32Array(utids.length).fill(NO_WAIT);
  }

  /** Reads the waits that end until then. */
  readUntil(ts: number): void {
    for (; (this.#ends[this.#read] ?? Infinity) <= ts; this.#read++) {
      const utid = this.#utids[this.#read] ?? 0;
      const last = this.#last[utid] ?? NO_WAIT;
      if (last === NO_WAIT) this.#first[utid] = this.#read;
      else this.#next[last] = this.#read;
      this.#last[utid] = this.#read;
    }
  }

  /** Takes the first wait of a thread, if it ended until then; else `NO_WAIT`. */
  take(utid: number, ts: number): number {
    const wait = this.#first[utid] ?? NO_WAIT;
    if (wait === NO_WAIT || (this.#ends[wait] ?? Infinity) > ts) return NO_WAIT;
    const next = this.#next[wait] ?? NO_WAIT;
    this.#first[utid] = next;
    if (next === NO_WAIT) this.#last[utid] = NO_WAIT;
    return wait;
  }
}
