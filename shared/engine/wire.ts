/** Protobuf's wire format, as far as trace_processor's messages need it. */

/** The wire types of protobuf, by the number that a tag's low three bits hold. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Bytes that are not protobuf, or end inside a field. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

const encoder = new TextEncoder();
const TWO_28 = 2 ** 28;

/** Reads fields from a slice of bytes, in order. Throws a {@link WireError} at whatever does not fit. */
export class WireReader {
  readonly #bytes: Uint8Array;
  /** Offset of the next byte. */
  position: number;
  readonly end: number;

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.position = position;
    this.end = end;
  }

  get done(): boolean {
    return this.position >= this.end;
  }

  /** The next field's number and wire type, as `number * 8 + type`. */
  tag(): number {
    return this.length();
  }

  /** A varint that is a length, a tag or another small unsigned number. */
  length(): number {
    const value = this.int64();
    if (typeof value === 'bigint' || value < 0) throw new WireError(`no length at offset ${this.position}`);
    return value;
  }

  /** A signed 64-bit varint: a bigint only where a number would lose digits. */
  int64(): number | bigint {
    const low = this.#groups(4);
    if (low < TWO_28) return low;
    const middle = this.#groups(4);
    if (middle < TWO_28) return join(low - TWO_28, middle, 0);
    const high = this.#groups(2);
    if (high >= 2 ** 14) throw new WireError(`a varint is too long at offset ${this.position}`);
    return join(low - TWO_28, middle - TWO_28, high & 0xff);
  }

  /** Up to `count` groups of seven bits; 2^(7·count) is added if the last one says that more follow. */
  #groups(count: number): number {
    let value = 0;
    for (let i = 0, scale = 1; i < count; i++, scale *= 128) {
      if (this.position >= this.end) throw new WireError(`the bytes end inside a varint at ${this.end}`);
      const byte = this.#bytes[this.position++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    return value + 128 ** count;
  }

  /** The bytes of a length-delimited field, not copied. */
  bytes(): Uint8Array {
    const start = this.#slice();
    return this.#bytes.subarray(start, this.position);
  }

  /** A reader for a length-delimited field. */
  message(): WireReader {
    const start = this.#slice();
    return new WireReader(this.#bytes, start, this.position);
  }

  /** Steps over a length-delimited field and gives its first offset. */
  #slice(): number {
    const sizeBytes = this.length();
    const start = this.position;
    if (sizeBytes > this.end - start) throw new WireError(`the bytes end inside a field at ${this.end}`);
    this.position = start + sizeBytes;
    return start;
  }

  /** Steps over the value of a field that is not needed. */
  skip(tag: number): void {
    switch (tag & 7) {
      case WIRE.varint:
        this.int64();
        return;
      case WIRE.bytes:
        this.#slice();
        return;
      case WIRE.fixed32:
      case WIRE.fixed64:
        this.position += (tag & 7) === WIRE.fixed32 ? 4 : 8;
        if (this.position > this.end) throw new WireError(`the bytes end inside a field at ${this.end}`);
        return;
      default:
        throw new WireError(`unknown wire type ${tag & 7} at offset ${this.position}`);
    }
  }
}

/** The value of three groups of 28, 28 and 8 bits, as a signed 64-bit integer. */
function join(low: number, middle: number, high: number): number | bigint {
  if (high === 0 && middle < 2 ** 25) return low + middle * TWO_28;
  if (high === 0xff && middle >= TWO_28 - 2 ** 25) {
    const value = low - TWO_28 + (middle - TWO_28 + 1) * TWO_28;
    if (Number.isSafeInteger(value)) return value;
  }
  return BigInt.asIntN(64, BigInt(low) | (BigInt(middle) << 28n) | (BigInt(high) << 56n));
}

/** Writes fields one after another. */
export class WireWriter {
  #bytes = new Uint8Array(256);
  #used = 0;

  varint(field: number, value: number): this {
    return this.#varint(field * 8 + WIRE.varint).#varint(value);
  }

  text(field: number, value: string): this {
    return this.bytes(field, encoder.encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    this.#varint(field * 8 + WIRE.bytes).#varint(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#used);
    this.#used += value.length;
    return this;
  }

  message(field: number, write: (inner: WireWriter) => void): this {
    const inner = new WireWriter();
    write(inner);
    return this.bytes(field, inner.finish());
  }

  /** What was written, not copied. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }

  #varint(value: number): this {
    this.#reserve(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#used++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#used++] = rest;
    return this;
  }

  #reserve(moreBytes: number): void {
    if (this.#used + moreBytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#used + moreBytes));
    larger.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = larger;
  }
}

/** Copies of all `parts`, one after another. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let used = 0;
  for (const part of parts) {
    joined.set(part, used);
    used += part.length;
  }
  return joined;
}
