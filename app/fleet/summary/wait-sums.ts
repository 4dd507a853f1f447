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

  /** Adds a wait of a thread to those of a number. */
  add(number: number, ts: number, te: number, utid: number): void {
    const at = PARTS * number;
    if (at >= this.#sums.length) this.#grow(2 * number);
    const sums = this.#sums;
    const ns = te - ts;
    const before = sums[at + WAITS] ?? 0;
    sums[at + WAITS] = before + 1;
    sums[at + READY_NS] = (sums[at + READY_NS] ?? 0) + ns;
    if (before > 0 && ns <= (sums[at + LONGEST_NS] ?? 0)) return;
    sums[at + LONGEST_NS] = ns;
    sums[at + LONGEST_TS] = ts;
    sums[at + LONGEST_UTID] = utid;
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
