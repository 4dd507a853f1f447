import type { RowNumbers } from '../rows.ts';

/** In place of a run. */
export const NO_RUN = -1;

/**
 * Finds the run of a thread that a time lies in. It goes run by run from the one that it found last for that thread: times that follow one
 * another lie near.
 */
export class RunFinder {
  readonly #starts: RowNumbers;
  readonly #ends: RowNumbers;
  /** By run: the next run of its thread, and the one before. */
  readonly #nexts: Int32Array;
  readonly #lasts: Int32Array;
  /** By key of a thread: the run that was found last. */
  readonly #found: Int32Array;

  /** The runs of `utids`, in the order of their ends; threads have keys below `keys`. */
  constructor(utids: RowNumbers, starts: RowNumbers, ends: RowNumbers, keys: number) {
    [this.#starts, this.#ends] = [starts, ends];
    this.#nexts = new Int32Array(utids.length);
    this.#lasts = new Int32Array(utids.length);
    this.#found = new Int32Array(keys).fill(NO_RUN);
    const latest = this.#found.slice();
    for (let run = 0; run < utids.length; run++) {
      const utid = utids[run] ?? 0;
      const last = latest[utid] ?? NO_RUN;
      if (last === NO_RUN) this.#found[utid] = run;
      else this.#nexts[last] = run;
      this.#lasts[run] = last;
      this.#nexts[run] = NO_RUN;
      latest[utid] = run;
    }
  }

  /** `NO_RUN` where the thread does not run then. A time at which one run ends and another begins is of the first. */
  at(utid: number, ts: number): number {
    const ends = this.#ends;
    let run = this.#found[utid] ?? NO_RUN;
    if (run === NO_RUN) return NO_RUN;
    let next = this.#nexts[run] ?? NO_RUN;
    while (next !== NO_RUN && (ends[run] ?? 0) < ts) {
      run = next;
      next = this.#nexts[run] ?? NO_RUN;
    }
    let last = this.#lasts[run] ?? NO_RUN;
    while (last !== NO_RUN && (ends[last] ?? 0) >= ts) {
      run = last;
      last = this.#lasts[run] ?? NO_RUN;
    }
    this.#found[utid] = run;
    return (ends[run] ?? 0) >= ts && (this.#starts[run] ?? 0) <= ts ? run : NO_RUN;
  }
}
