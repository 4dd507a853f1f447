import { textAt, type NumberValues, type Values } from '../tables/index.ts';

/** What the text of a row comes to, as a number from 0 on: worked out once for each text of a column, which has few. */
export class TextNumbers {
  readonly #column: Values;
  readonly #values: NumberValues;
  readonly #present: Uint8Array | null;
  readonly #numberOf: (text: string | null) => number;
  /** By the numbers of texts; -1 where it is not worked out yet. */
  readonly #known: Int32Array;

  constructor(column: Values, numberOf: (text: string | null) => number) {
    this.#column = column;
    this.#values = column.values;
    this.#present = column.present;
    this.#numberOf = numberOf;
    // To ask for texts in UTF-8 would decode them all.
    const count = column.utf8 === undefined ? (column.texts?.length ?? 0) : column.values.length;
    this.#known = new Int32Array(count).fill(-1);
  }

  at(row: number): number {
    if (this.#present !== null && this.#present[row] === 0) return this.#numberOf(null);
    const text = (this.#values[row] ?? 0) | 0;
    const known = this.#known[text] ?? -1;
    return known >= 0 ? known : this.#workOut(row, text);
  }

  #workOut(row: number, text: number): number {
    const number = this.#numberOf(textAt(this.#column, row));
    this.#known[text] = number;
    return number;
  }
}
