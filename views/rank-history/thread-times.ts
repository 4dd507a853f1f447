import { bisectRight } from 'd3';

/** Stretches of time of one thread that do not overlap, in their order: how much of any other stretch they take. */
export class ThreadTimes {
  readonly #ts: number[] = [];
  readonly #te: number[] = [];
  /** How long the stretches before each are, together. */
  readonly #before: number[] = [0];
  #all_ns = 0;

  add(ts: number, te: number): void {
    this.#ts.push(ts);
    this.#te.push(te);
    this.#all_ns += te - ts;
    this.#before.push(this.#all_ns);
  }

  /** How much of the time from `from` to `to` they take, in ns. */
  within(from: number, to: number): number {
    const first = bisectRight(this.#te, from);
    const end = bisectRight(this.#ts, to - 1);
    if (first >= end) return 0;
    const all = (this.#before[end] ?? 0) - (this.#before[first] ?? 0);
    const early = Math.max(0, from - (this.#ts[first] ?? 0));
    const late = Math.max(0, (this.#te[end - 1] ?? 0) - to);
    return all - early - late;
  }
}
