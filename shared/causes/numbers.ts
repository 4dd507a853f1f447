/** A list of numbers that grows, eight bytes each. */
export class Numbers {
  #values = new Float64Array(1 << 8);
  #count = 0;

  push(value: number): void {
    if (this.#count === this.#values.length) {
      const more = new Float64Array(2 * this.#count);
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[this.#count++] = value;
  }

  /** The numbers themselves, not a copy. */
  values(): Float64Array {
    return this.#values.subarray(0, this.#count);
  }
}
