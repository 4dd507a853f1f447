import { grown } from '../tables/index.ts';

/** The wait reasons of threads that wait for work: no work is late while they wait. */
export const FOR_WORK: ReadonlySet<string> = new Set(['WrQueue', 'WrLpcReceive']);

/** A set of small whole numbers, a bit each. */
export class Flags {
  #bits = new Uint8Array(1 << 10);

  add(number: number): void {
    const byte = number >>> 3;
    if (byte >= this.#bits.length) this.#bits = grown(this.#bits, new Uint8Array(2 * byte));
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (number & 7));
  }

  has(number: number): boolean {
    return ((this.#bits[number >>> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }
}
