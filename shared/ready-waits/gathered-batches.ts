import type { Batch } from '../tables/index.ts';
import type { WhichWaits } from './read-waits.ts';
import type { WaitRows } from './wait-bins.ts';

/** So many waits are kept, of 16 bytes each: as many as a trace has whose stretches are not counted. */
export const MOST_WAITS = 10 << 20;

interface GatheredBatch {
  readonly waits: WaitRows;
  readonly times: NonNullable<Batch<never>['times']>;
}

/** Batches of a table of waits, all of whose waits were gathered: they serve each range in which they lie. */
export class GatheredBatches {
  readonly #batches = new Map<number, GatheredBatch>();
  #count = 0;

  /** Those that surely lie in a range, by their first rows. */
  within({ start, end }: Pick<WhichWaits, 'start' | 'end'>): ReadonlyMap<number, WaitRows> {
    const found = new Map<number, WaitRows>();
    for (const [firstRow, { waits, times }] of this.#batches)
      if (times.least_ns > start && times.greatest_ns < end) found.set(firstRow, waits);
    return found;
  }

  /** Keeps what was gathered of a batch, if that is all of it. */
  keep({ firstRow, rowCount, times }: Batch<never>, waits: WaitRows): void {
    if (times === undefined || waits.utid.length < rowCount || this.#batches.has(firstRow)) return;
    if (this.#count + rowCount > MOST_WAITS) {
      this.#batches.clear();
      this.#count = 0;
    }
    this.#batches.set(firstRow, { waits, times });
    this.#count += rowCount;
  }
}
