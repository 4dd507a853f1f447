import type { Passing } from './passing.ts';

/** The longest of many I/Os, and then those whose end was not recorded; of equally long ones the first. */
export class Longest {
  readonly #most: number;
  #listed: Passing[] = [];
  /** What is shorter is not among them. */
  #least_ns = -1;

  constructor(most: number) {
    this.#most = most;
  }

  add(io: Passing): void {
    if ((io.dur ?? -1) < this.#least_ns) return;
    this.#listed.push(io);
    if (this.#listed.length >= 2 * this.#most + ROOM) this.#cut();
  }

  /** All of them, in order. */
  sorted(): readonly Passing[] {
    this.#cut();
    return this.#listed;
  }

  #cut(): void {
    this.#listed.sort((a, b) => (b.dur ?? -1) - (a.dur ?? -1) || a.ts - b.ts);
    this.#listed.length = Math.min(this.#listed.length, this.#most);
    if (this.#listed.length === this.#most) this.#least_ns = this.#listed.at(-1)?.dur ?? -1;
  }
}

/** Of few, so that they are not put in order at each one that comes. */
const ROOM = 1024;
