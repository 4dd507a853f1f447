import { grown } from '../tables/index.ts';

/** A list of numbers that grows, eight bytes each. */
export class Numbers {
  #values = new Float64Array(1 << 8);
  #count = 0;

  push(value: number): void {
    if (this.#count === this.#values.length)
      this.#values = grown(this.#values, new Float64Array(2 * this.#count));
    this.#values[this.#count++] = value;
  }

  /** The numbers themselves, not a copy. */
  values(): Float64Array {
    return this.#values.subarray(0, this.#count);
  }
}
