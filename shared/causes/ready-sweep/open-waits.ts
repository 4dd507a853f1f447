import { grown } from '../../tables/index.ts';
import { PARTS } from '../../why-late/index.ts';
import { FREE } from './wait-kinds.ts';

/** Sums of parts at the wait's start, and at its end. */
const STRIDE = 2 * PARTS.length + 1;

/** Waits that have begun and not ended, each in a slot with the sums of its taker at both ends of what counts of it. */
export class OpenWaits {
  sums = new Float64Array(64 * STRIDE);
  /** The row of each slot; -1 in a free one. */
  #rows = new Int32Array(64).fill(-1);
  readonly #free: number[] = [];
  #used = 0;

  /** A slot for a row. */
  take(row: number): number {
    const slot = this.#free.pop() ?? this.#used++;
    if (slot >= this.#rows.length) {
      this.#rows = grown(this.#rows, new Int32Array(2 * slot).fill(-1, slot));
      this.sums = grown(this.sums, new Float64Array(2 * slot * STRIDE));
    }
    this.#rows[slot] = row;
    return slot;
  }

  release(slot: number): void {
    this.#rows[slot] = -1;
    this.#free.push(slot);
  }

  get areNone(): boolean {
    return this.#free.length === this.#used;
  }

  /** All slots that are taken, and their rows. */
  *all(): Iterable<readonly [slot: number, row: number]> {
    for (let slot = 0; slot < this.#used; slot++) {
      const row = this.#rows[slot] ?? -1;
      if (row >= 0) yield [slot, row];
    }
  }

  /** Where the sums of a slot stand at its start. */
  from(slot: number): number {
    return slot * STRIDE;
  }

  /** Where they stand at its end. */
  to(slot: number): number {
    return slot * STRIDE + PARTS.length;
  }

  /** Keeps the time with a free CPU when the wait began. */
  begin(slot: number): void {
    this.sums[slot * STRIDE + STRIDE - 1] = this.sums[slot * STRIDE + FREE] ?? 0;
  }

  freeAtBegin(slot: number): number {
    return this.sums[slot * STRIDE + STRIDE - 1] ?? 0;
  }
}
