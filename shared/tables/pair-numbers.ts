import { grown } from './grown.ts';

/** Of the places of a table so many are taken at most: half of them. */
const PLACES_OF_PAIR = 2;

/**
 * Numbers pairs of whole numbers of 32 bits in the order in which they come first, from 0 on. Of millions of rows that have few pairs, a `Map`
 * with both in one key would take most of the time: such a key is no small number.
 */
export class PairNumbers {
  #first = new Int32Array(1 << 8);
  #second = new Int32Array(1 << 8);
  /** By hash: the number of a pair, and one more; 0 for none. */
  #places = new Int32Array(PLACES_OF_PAIR << 8);
  #count = 0;

  /** How many pairs there are. */
  get count(): number {
    return this.#count;
  }

  /** The number of a pair; {@link PairNumbers.count} was its number if it is new. */
  of(given: number, beside: number): number {
    const first = given | 0;
    const second = beside | 0;
    const mask = this.#places.length - 1;
    let at = placeOf(first, second) & mask;
    for (let number = this.#places[at] ?? 0; number !== 0; number = this.#places[at] ?? 0) {
      if (this.#first[number - 1] === first && this.#second[number - 1] === second) return number - 1;
      at = (at + 1) & mask;
    }
    if (this.#count === this.#first.length) {
      this.#grow();
      return this.of(first, second);
    }
    this.#first[this.#count] = first;
    this.#second[this.#count] = second;
    this.#places[at] = this.#count + 1;
    return this.#count++;
  }

  /** The first of a pair, by its number. */
  first(number: number): number {
    return this.#first[number] ?? 0;
  }

  /** The second of a pair, by its number. */
  second(number: number): number {
    return this.#second[number] ?? 0;
  }

  #grow(): void {
    const length = 2 * this.#count;
    this.#first = grown(this.#first, new Int32Array(length));
    this.#second = grown(this.#second, new Int32Array(length));
    const mask = PLACES_OF_PAIR * length - 1;
    this.#places = new Int32Array(mask + 1);
    for (let number = 0; number < this.#count; number++) {
      let at = placeOf(this.first(number), this.second(number)) & mask;
      while (this.#places[at] !== 0) at = (at + 1) & mask;
      this.#places[at] = number + 1;
    }
  }
}

function placeOf(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 8;
}
