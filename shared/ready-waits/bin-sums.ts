import type { WaitCounts, WaitRows } from './wait-bins.ts';
import { binOfKey } from './wait-key.ts';

/** Numbers over many waits. A percentile is the longest wait of the hundredth of a decade in which it lies. */
export interface WaitSummary {
  readonly count: number;
  readonly sum_ns: number;
  readonly p50_ns: number;
  readonly p90_ns: number;
  readonly p99_ns: number;
  readonly max_ns: number;
  /** The sum of the waits that are longer than `p99_ns`. */
  readonly above_p99_ns: number;
}

/** The waits of one bin. */
export interface Bin {
  readonly bin: number;
  readonly count: number;
  readonly sum_ns: number;
  readonly max_ns: number;
}

/** Places of a list, from one on and before another. */
export interface Places {
  readonly from: number;
  readonly to: number;
}

/** Bins have 11 bits. */
const BIN_COUNT = 2048;
/** What is summed of a bin lies together, as the next wait is in any other one. */
const [COUNT, SUM_NS, MAX_NS, STRIDE] = [0, 1, 2, 4];

/** Sums of waits by bin: one set serves thousands of groups, one after another. */
export class BinSums {
  readonly #cells = new Float64Array(STRIDE * BIN_COUNT);
  #first = BIN_COUNT;
  #last = -1;

  clear(): void {
    this.#cells.fill(0, STRIDE * this.#first, STRIDE * (this.#last + 1));
    [this.#first, this.#last] = [BIN_COUNT, -1];
  }

  /** Adds waits, by their rows: those at some places of a list. */
  addRows({ key, dur_ns }: WaitRows, rows: Uint32Array, { from, to }: Places): void {
    for (let at = from; at < to; at++) {
      const row = rows[at] ?? 0;
      const length_ns = dur_ns[row] ?? 0;
      this.#add(binOfKey(key[row] ?? 0), 1, length_ns, length_ns);
    }
  }

  /** Adds counts, likewise. */
  addCounts({ key, waits, sum_ns, max_ns }: WaitCounts, rows: Uint32Array, { from, to }: Places): void {
    for (let at = from; at < to; at++) {
      const row = rows[at] ?? 0;
      this.#add(binOfKey(key[row] ?? 0), waits[row] ?? 0, sum_ns[row] ?? 0, max_ns[row] ?? 0);
    }
  }

  #add(bin: number, waits: number, sum_ns: number, max_ns: number): void {
    if (bin < this.#first) this.#first = bin;
    if (bin > this.#last) this.#last = bin;
    const cells = this.#cells;
    const cell = STRIDE * bin;
    cells[cell + COUNT] = (cells[cell + COUNT] ?? 0) + waits;
    cells[cell + SUM_NS] = (cells[cell + SUM_NS] ?? 0) + sum_ns;
    if (max_ns > (cells[cell + MAX_NS] ?? 0)) cells[cell + MAX_NS] = max_ns;
  }

  /** Adds what others have summed. */
  addSums(others: BinSums): void {
    const [own, other] = [this.#cells, others.#cells];
    for (let cell = STRIDE * others.#first; cell < STRIDE * (others.#last + 1); cell += STRIDE) {
      own[cell + COUNT] = (own[cell + COUNT] ?? 0) + (other[cell + COUNT] ?? 0);
      own[cell + SUM_NS] = (own[cell + SUM_NS] ?? 0) + (other[cell + SUM_NS] ?? 0);
      own[cell + MAX_NS] = Math.max(own[cell + MAX_NS] ?? 0, other[cell + MAX_NS] ?? 0);
    }
    this.#first = Math.min(this.#first, others.#first);
    this.#last = Math.max(this.#last, others.#last);
  }

  /** The bins that hold waits, rising. */
  bins(): Bin[] {
    const bins: Bin[] = [];
    for (let bin = this.#first; bin <= this.#last; bin++) {
      const [count = 0, sum_ns = 0, max_ns = 0] = this.#cells.subarray(STRIDE * bin);
      if (count > 0) bins.push({ bin, count, sum_ns, max_ns });
    }
    return bins;
  }

  /** Count, sum, percentiles (nearest rank, as `percentileOf` has them) and maximum. */
  summary(): WaitSummary {
    const cells = this.#cells;
    const [from, end] = [STRIDE * this.#first, STRIDE * (this.#last + 1)];
    let [count, sum_ns] = [0, 0];
    for (let cell = from; cell < end; cell += STRIDE) {
      count += cells[cell + COUNT] ?? 0;
      sum_ns += cells[cell + SUM_NS] ?? 0;
    }
    const at = (part: number) => Math.ceil(count * part);
    const [at50, at90, at99] = [at(0.5), at(0.9), at(0.99)];
    let [p50_ns, p90_ns, p99_ns, above_p99_ns, passed] = [0, 0, 0, 0, 0];
    for (let cell = from; cell < end; cell += STRIDE) {
      const before = passed;
      passed += cells[cell + COUNT] ?? 0;
      const longest_ns = cells[cell + MAX_NS] ?? 0;
      if (before < at50 && passed >= at50) p50_ns = longest_ns;
      if (before < at90 && passed >= at90) p90_ns = longest_ns;
      if (before < at99 && passed >= at99) p99_ns = longest_ns;
      else if (before >= at99) above_p99_ns += cells[cell + SUM_NS] ?? 0;
    }
    const max_ns = this.#last < 0 ? 0 : (cells[STRIDE * this.#last + MAX_NS] ?? 0);
    return { count, sum_ns, p50_ns, p90_ns, p99_ns, max_ns, above_p99_ns };
  }
}
