import type { TimeRange } from '../../shared/view/index.ts';

/** Buckets up to here have a place in an array each; beyond, they are looked up. */
const MAX_BUCKETS = 4_000_000;

/** A number for each of some buckets of time. */
export class Places {
  readonly #offset: number;
  readonly #all: Int32Array;
  readonly #some = new Map<number, number>();

  /** For buckets of `bucket_ns` within `range`. */
  constructor({ start, end }: TimeRange, bucket_ns: number) {
    this.#offset = Math.floor(start / bucket_ns);
    const count = Math.floor(end / bucket_ns) - this.#offset + 1;
    this.#all = new Int32Array(count > MAX_BUCKETS ? 0 : Math.max(0, count)).fill(-1);
  }

  /** The bucket's number; -1 if it has none. */
  of(bucket: number): number {
    if (this.#all.length > 0) return this.#all[bucket - this.#offset] ?? -1;
    return this.#some.get(bucket) ?? -1;
  }

  set(bucket: number, place: number): void {
    if (this.#all.length > 0) this.#all[bucket - this.#offset] = place;
    else this.#some.set(bucket, place);
  }
}
