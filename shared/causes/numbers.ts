import { grown } from '../tables/index.ts';

/** A list of numbers that grows, eight bytes each. */
export class Numbers {
  #values: Float64Array;
  #count = 0;

  /** `room`: how many there may be; more are taken too. */
  constructor(room = 0) {
    this.#values = new Float64Array(Math.max(1 << 8, room));
  }

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
