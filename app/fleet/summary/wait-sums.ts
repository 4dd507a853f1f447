import type { WaitRows } from '../../../shared/causes/index.ts';
import { grown } from '../../../shared/tables/index.ts';

/** What is summed up of the waits of one number; all 0 where there are none. */
export interface WaitSum {
  readonly waits: number;
  readonly ready_ns: number;
  /** Of the longest wait, of several the first. */
  readonly longest_ns: number;
  readonly longest_ts: number;
  readonly longest_utid: number;
}

/** So many numbers are kept of each sum: they lie together, since which sum is next is not known beforehand. */
const PARTS = 8;
const [WAITS, READY_NS, LONGEST_NS, LONGEST_TS, LONGEST_UTID] = [0, 1, 2, 3, 4];

/** Sums of waits by number: there are millions of waits. */
export class WaitSums {
  #sums = new Float64Array(PARTS << 10);

  /**
   * Adds rows of waits, each to those of a number, which are below `count`; a negative number leaves its row out. All at once: a function
   * that is given the times of one wait would have memory made for each.
   */
  add(waits: WaitRows, rows: Uint32Array, numbers: Int32Array, count: number): void {
    if (PARTS * count > this.#sums.length) this.#grow(2 * count);
    const [starts, ends, utids] = [waits.column('ts'), waits.column('te'), waits.column('utid')];
    const sums = this.#sums;
    for (let index = 0; index < rows.length; index++) {
      const number = numbers[index] ?? -1;
      if (number < 0) continue;
      const row = rows[index] ?? 0;
      const at = PARTS * number;
      const ts = starts[row] ?? 0;
      const ns = (ends[row] ?? 0) - ts;
      const before = sums[at + WAITS] ?? 0;
      sums[at + WAITS] = before + 1;
      sums[at + READY_NS] = (sums[at + READY_NS] ?? 0) + ns;
      if (before > 0 && ns <= (sums[at + LONGEST_NS] ?? 0)) continue;
      sums[at + LONGEST_NS] = ns;
      sums[at + LONGEST_TS] = ts;
      sums[at + LONGEST_UTID] = utids[row] ?? 0;
    }
  }

  /** How many waits a number has, and how long they were together: of many numbers few are looked at more closely. */
  waitsOf(number: number): number {
    return this.#sums[PARTS * number + WAITS] ?? 0;
  }

  /** See {@link WaitSums.waitsOf}. */
  readyNsOf(number: number): number {
    return this.#sums[PARTS * number + READY_NS] ?? 0;
  }

  /** The sums of a number. */
  of(number: number): WaitSum {
    const at = PARTS * number;
    const part = (of: number) => this.#sums[at + of] ?? 0;
    return {
      waits: part(WAITS),
      ready_ns: part(READY_NS),
      longest_ns: part(LONGEST_NS),
      longest_ts: part(LONGEST_TS),
      longest_utid: part(LONGEST_UTID),
    };
  }

  #grow(numbers: number): void {
    this.#sums = grown(this.#sums, new Float64Array(PARTS * numbers));
  }
}
