/** Capital letters of ASCII as small ones; any other byte as it is. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte,
);

/** A text that is looked for in UTF-8, whatever the case of letters of ASCII. */
export class Needle {
  /** What is looked for, in small letters. */
  readonly #bytes: Uint8Array;
  /** By the byte at which the end of the text would be: so far on it may be next; 0 where it may be there. */
  readonly #skips: Uint32Array;
  /** How far on it may be next after a place where its last byte is. */
  readonly #afterLast: number;

  /** `text` is not empty. */
  constructor(text: string) {
    this.#bytes = new TextEncoder().encode(text).map((byte) => FOLDED[byte] ?? 0);
    const last = this.length - 1;
    this.#skips = new Uint32Array(256).fill(this.length);
    for (let at = 0; at < last; at++) this.#setSkip(this.#bytes[at] ?? 0, last - at);
    this.#afterLast = this.#skips[this.#bytes[last] ?? 0] ?? 1;
    this.#setSkip(this.#bytes[last] ?? 0, 0);
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** Where the text first is at or after `from`, all of it before `to`; -1 if nowhere. */
  indexIn(bytes: Uint8Array, from: number, to: number): number {
    const last = this.length - 1;
    for (let end = from + last; end < to;) {
      const skip = this.#skips[bytes[end] ?? 0] ?? 1;
      if (skip > 0) {
        end += skip;
        continue;
      }
      if (this.countEqual(bytes, end - last, end, 0) === last) return end - last;
      end += this.#afterLast;
    }
    return -1;
  }

  /** How many bytes from `from` on, and before `to`, are those of the text from its byte `at` on. */
  countEqual(bytes: Uint8Array, from: number, to: number, at: number): number {
    const most = Math.min(to - from, this.length - at);
    let count = 0;
    while (count < most && FOLDED[bytes[from + count] ?? 0] === this.#bytes[at + count]) count++;
    return count;
  }

  #setSkip(byte: number, skip: number): void {
    this.#skips[byte] = skip;
    if (byte >= 0x61 && byte <= 0x7a) this.#skips[byte - 32] = skip;
  }
}
