import type { Delay } from './delay.ts';

/** Longest first, then by time and thread. */
const byLength = (a: Delay, b: Delay) => b.te - b.ts - (a.te - a.ts) || a.ts - b.ts || a.utid - b.utid;

/** The longest of the delays that are looked at, so many of them. */
export class Longest {
  readonly #most: number;
  #found: Delay[] = [];
  /** What is shorter than so long is not among them. */
  #least_ns = 0;

  constructor(most: number) {
    this.#most = most;
  }

  look(utid: number, ts: number, te: number): void {
    if (te - ts < this.#least_ns) return;
    this.#found.push({ utid, ts, te });
    // Sorted now and then alone: each time would cost more than what is kept in vain.
    if (this.#found.length < 2 * this.#most + 1000) return;
    this.#cut();
    const last = this.#found[this.#most - 1];
    if (last !== undefined) this.#least_ns = last.te - last.ts;
  }

  /** Longest first, then by time and thread. */
  all(): readonly Delay[] {
    this.#cut();
    return this.#found;
  }

  #cut(): void {
    this.#found = this.#found.sort(byLength).slice(0, this.#most);
  }
}
