/** Numbers as bytes, which travel between threads and over ports as they are. */
export type Bytes = Uint8Array;

/** A byte has seven bits of a count, the lowest first; the last byte of a count is below this. */
const BITS = 0x80;
/** No count of 53 bits takes more bytes. */
const BYTES_MAX = 8;

/** Counts as bytes. Most are small, so that they take little room where they are kept. */
export function bytesOfCounts(counts: ArrayLike<number>): Bytes {
  const bytes = new Uint8Array(BYTES_MAX * counts.length);
  let length = 0;
  for (let at = 0; at < counts.length; at++) {
    let rest = counts[at] ?? 0;
    for (; rest >= BITS; rest = Math.floor(rest / BITS)) bytes[length++] = BITS + (rest % BITS);
    bytes[length++] = rest;
  }
  return bytes.slice(0, length);
}

/** The counts that bytes stand for: one for each byte that ends one. */
export function countsOf(bytes: Bytes): Float64Array {
  const counts = new Float64Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] ?? 0;
    if (byte < BITS) {
      counts[length++] = byte;
      continue;
    }
    let count = 0;
    let unit = 1;
    for (; byte >= BITS; byte = bytes[++at] ?? 0) {
      count += (byte - BITS) * unit;
      unit *= BITS;
    }
    counts[length++] = count + byte * unit;
  }
  return length === counts.length ? counts : counts.slice(0, length);
}
