/** Keys that are remembered at most; of more, the longest unused are forgotten. */
const MOST_KEYS = 10_000;

interface Bucket {
  left: number;
  atMs: number;
}

/** So many actions of each key in a minute, in any order; unused ones are kept for a burst, but no more than a minute's. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Takes one; false if there is none left. */
  take(key: string, nowMs = Date.now()): boolean {
    const bucket = this.#refill(key, nowMs);
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }

  /** Whether there is none left. */
  isSpent(key: string): boolean {
    return this.#refill(key, Date.now()).left < 1;
  }

  #refill(key: string, nowMs: number): Bucket {
    const before = this.#buckets.get(key) ?? { left: this.#perMinute, atMs: nowMs };
    const gained = (Math.max(0, nowMs - before.atMs) / 60_000) * this.#perMinute;
    const bucket = { left: Math.min(this.#perMinute, before.left + gained), atMs: nowMs };
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= MOST_KEYS) break;
      this.#buckets.delete(oldest);
    }
    return bucket;
  }
}
