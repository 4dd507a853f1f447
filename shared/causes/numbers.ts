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
    if (this.#count === this.#values.length) this.#grow(1);
    this.#values[this.#count++] = value;
  }

  /** Room for some more numbers, zeros so far, which the caller writes before it asks for more. */
  room(count: number): Float64Array {
    if (this.#count + count > this.#values.length) this.#grow(count);
    this.#count += count;
    return this.#values.subarray(this.#count - count, this.#count);
  }

  #grow(more: number): void {
    this.#values = grown(this.#values, new Float64Array(Math.max(2 * this.#count, this.#count + more)));
  }

  /** The numbers themselves, not a copy. */
  values(): Float64Array {
    return this.#values.subarray(0, this.#count);
  }
}
