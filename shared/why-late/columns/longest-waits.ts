import type { Wait } from './wait.ts';

/** The longest of the waits that it is shown, `most` at most; of equal ones the earliest. */
export class LongestWaits<W extends Pick<Wait, 'ts' | 'te'>> {
  readonly #most: number;
  #found: W[] = [];
  #least_ns: number;

  /** Waits shorter than `least_ns` are not shown. */
  constructor(most: number, least_ns: number) {
    [this.#most, this.#least_ns] = [most, least_ns];
  }

  /** What is shorter is not among the longest. */
  get least_ns(): number {
    return this.#least_ns;
  }

  add(wait: W): void {
    if (wait.te - wait.ts < this.#least_ns) return;
    this.#found.push(wait);
    if (this.#found.length < 2 * this.#most) return;
    this.#found = this.all();
    const least = this.#found.at(-1);
    if (least !== undefined) this.#least_ns = least.te - least.ts;
  }

  /** Longest first. */
  all(): W[] {
    return this.#found.sort(byLength).slice(0, this.#most);
  }
}

/** The longest first; of equal ones the earliest. */
function byLength(a: Pick<Wait, 'ts' | 'te'>, b: Pick<Wait, 'ts' | 'te'>): number {
  return b.te - b.ts - (a.te - a.ts) || a.ts - b.ts;
}
