import type { RowNumbers } from '../rows.ts';

/** In place of a run. */
export const NO_RUN = -1;

/** Finds the run of a thread that a time lies in. It looks from where it was for that thread: times that follow one another lie near. */
export class RunFinder {
  readonly #runsOf: (utid: number) => Uint32Array;
  readonly #starts: RowNumbers;
  readonly #ends: RowNumbers;
  /** By key of a thread: the place of the run that was looked for last, among its own. */
  readonly #places: Uint32Array;

  /** `runsOf` gives the runs of a thread in the order of their ends; threads have keys below `threads`. */
  constructor(runsOf: (utid: number) => Uint32Array, starts: RowNumbers, ends: RowNumbers, threads: number) {
    this.#runsOf = runsOf;
    [this.#starts, this.#ends] = [starts, ends];
    this.#places = new Uint32Array(threads);
  }

  /** `NO_RUN` where the thread does not run then. A time at which one run ends and another begins is of the first. */
  at(utid: number, ts: number): number {
    const own = this.#runsOf(utid);
    if (own.length === 0) return NO_RUN;
    const place = this.#placeOf(own, this.#places[utid] ?? 0, ts);
    this.#places[utid] = place;
    const run = own[place] ?? NO_RUN;
    return (this.#starts[run] ?? Infinity) <= ts ? run : NO_RUN;
  }

  /** How many of these runs end before `ts`: in steps from `near` on that grow, then between the last two of them. */
  #placeOf(own: Uint32Array, near: number, ts: number): number {
    let low = near;
    let high = near;
    for (let step = 1; low > 0 && !this.#endsBefore(own, low - 1, ts); step *= 2) {
      high = low;
      low = Math.max(0, low - step);
    }
    for (let step = 1; high < own.length && this.#endsBefore(own, high, ts); step *= 2) {
      low = high + 1;
      high = Math.min(own.length, high + step);
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#endsBefore(own, middle, ts)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #endsBefore(own: Uint32Array, place: number, ts: number): boolean {
    return (this.#ends[own[place] ?? NO_RUN] ?? Infinity) < ts;
  }
}
