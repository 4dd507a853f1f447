import { standingOf, type Standing } from '../standing.ts';
import type { Wait } from './wait.ts';

/** CPU time of a thread at one rank and priority while another waited. */
export interface RanSum {
  readonly utid: number;
  readonly rank: number | null;
  readonly priority: number;
  /** How the thread stood to the one that waited. */
  readonly standing: Standing;
  readonly ran_ns: number;
  readonly runs: number;
}

/** In place of a rank: none was recorded. */
const NO_RANK = 256;
const NONE = -1;

/** Sums by thread, rank and priority, in lists of each thread's. */
export class RanSums {
  /** The sum of each thread that was added to last. */
  #last = new Int32Array(1 << 10).fill(NONE);
  readonly #next: number[] = [];
  readonly #utids: number[] = [];
  /** Rank and priority in one. */
  readonly #keys: number[] = [];
  readonly #ran_ns: number[] = [];
  readonly #runs: number[] = [];

  add(utid: number, rank: number | null, priority: number, ran_ns: number): void {
    if (utid >= this.#last.length) {
      const more = new Int32Array(2 * utid).fill(NONE);
      more.set(this.#last);
      this.#last = more;
    }
    const key = (rank ?? NO_RANK) * 64 + priority;
    let sum = this.#last[utid] ?? NONE;
    while (sum !== NONE && this.#keys[sum] !== key) sum = this.#next[sum] ?? NONE;
    if (sum === NONE) {
      sum = this.#keys.length;
      this.#next.push(this.#last[utid] ?? NONE);
      this.#last[utid] = sum;
      this.#utids.push(utid);
      this.#keys.push(key);
      this.#ran_ns.push(0);
      this.#runs.push(0);
    }
    this.#ran_ns[sum] = (this.#ran_ns[sum] ?? 0) + ran_ns;
    this.#runs[sum] = (this.#runs[sum] ?? 0) + 1;
  }

  /** The sums, largest first, as they stand to a thread that waited. */
  of({ rank: waitRank, priority: waitPriority }: Pick<Wait, 'rank' | 'priority'>): RanSum[] {
    return this.#keys
      .map((key, sum): RanSum => {
        const utid = this.#utids[sum] ?? 0;
        const rank = key >= NO_RANK * 64 ? null : Math.floor(key / 64);
        const priority = key % 64;
        const standing = standingOf(utid, rank, priority, waitRank, waitPriority);
        return { utid, rank, priority, standing, ran_ns: this.#ran_ns[sum] ?? 0, runs: this.#runs[sum] ?? 0 };
      })
      .sort((a, b) => b.ran_ns - a.ran_ns);
  }
}
