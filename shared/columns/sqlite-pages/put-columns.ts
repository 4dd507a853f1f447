/**
 * Loops that write one column of many rows into their cells. Each sees arrays of one kind alone, since the compiler makes them
 * several times slower otherwise; `present` is an array in any case for the same reason.
 */
import { putVarint, SERIAL, serialOfText } from './format.ts';

/** Where cells are: arrays by row. */
export interface Cells {
  /** Where each cell begins. */
  readonly start: Uint32Array;
  /** Where its next value goes; moved on by each column. */
  readonly next: Uint32Array;
}

/** A stretch of loaded rows: `count` from `from` on, and the page that they go to. */
export interface Target {
  readonly from: number;
  readonly count: number;
  readonly out: Uint8Array;
  readonly view: DataView;
}

/** A column of numbers of 8 bytes. `header`: where, in a cell, its serial type stands. */
export function putNumbers8(
  { start, next }: Cells,
  { from, count, out, view }: Target,
  header: number,
  serial: number,
  present: Uint8Array,
  values: Uint32Array,
): void {
  for (let i = 0; i < count; i++) {
    const cell = start[i] ?? 0;
    const row = from + i;
    if (present[row] === 0) {
      out[cell + header] = SERIAL.null;
      continue;
    }
    out[cell + header] = serial;
    const at = next[i] ?? 0;
    view.setUint32(at, values[2 * row + 1] ?? 0);
    view.setUint32(at + 4, values[2 * row] ?? 0);
    next[i] = at + 8;
  }
}

/** A column of numbers of 4 bytes, with `zeros` bytes before each: none, or two for unsigned ones. */
export function putNumbers4(
  { start, next }: Cells,
  { from, count, out, view }: Target,
  header: number,
  serial: number,
  present: Uint8Array,
  values: Uint32Array,
  zeros: number,
): void {
  for (let i = 0; i < count; i++) {
    const cell = start[i] ?? 0;
    const row = from + i;
    if (present[row] === 0) {
      out[cell + header] = SERIAL.null;
      continue;
    }
    out[cell + header] = serial;
    const at = next[i] ?? 0;
    if (zeros > 0) view.setUint16(at, 0);
    view.setUint32(at + zeros, values[row] ?? 0);
    next[i] = at + zeros + 4;
  }
}

/** A column of numbers of 2 bytes, with `zeros` bytes before each: none, or one for unsigned ones. */
export function putNumbers2(
  { start, next }: Cells,
  { from, count, out, view }: Target,
  header: number,
  serial: number,
  present: Uint8Array,
  values: Uint16Array,
  zeros: number,
): void {
  for (let i = 0; i < count; i++) {
    const cell = start[i] ?? 0;
    const row = from + i;
    if (present[row] === 0) {
      out[cell + header] = SERIAL.null;
      continue;
    }
    out[cell + header] = serial;
    const at = next[i] ?? 0;
    if (zeros > 0) out[at] = 0;
    view.setUint16(at + zeros, values[row] ?? 0);
    next[i] = at + zeros + 2;
  }
}

/** A column of numbers of 1 byte, with `zeros` bytes before each: none, or one for unsigned ones. */
export function putNumbers1(
  { start, next }: Cells,
  { from, count, out }: Target,
  header: number,
  serial: number,
  present: Uint8Array,
  values: Uint8Array,
  zeros: number,
): void {
  for (let i = 0; i < count; i++) {
    const cell = start[i] ?? 0;
    const row = from + i;
    if (present[row] === 0) {
      out[cell + header] = SERIAL.null;
      continue;
    }
    out[cell + header] = serial;
    const at = next[i] ?? 0;
    if (zeros > 0) out[at] = 0;
    out[at + zeros] = values[row] ?? 0;
    next[i] = at + zeros + 1;
  }
}

/** A column of 0 and 1, which have serial types of their own, and no bytes. */
export function putBools(
  { start }: Cells,
  { from, count, out }: Target,
  header: number,
  present: Uint8Array,
  values: Uint8Array,
): void {
  for (let i = 0; i < count; i++)
    out[(start[i] ?? 0) + header] =
      present[from + i] === 0 ? SERIAL.null : SERIAL.zero + (values[from + i] ?? 0);
}

/** A column of texts, whose serial types take `headerBytes` each. */
export function putTexts(
  { start, next }: Cells,
  { from, count, out, view }: Target,
  header: number,
  headerBytes: number,
  present: Uint8Array,
  texts: { readonly bytes: Uint8Array; readonly start: Uint32Array; readonly length: Uint32Array },
): void {
  const { bytes, start: starts, length: lengths } = texts;
  const sources = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < count; i++) {
    const headerAt = (start[i] ?? 0) + header;
    const row = from + i;
    if (present[row] === 0) {
      putVarint(out, headerAt, SERIAL.null, headerBytes);
      continue;
    }
    const length = lengths[row] ?? 0;
    const source = starts[row] ?? 0;
    const at = next[i] ?? 0;
    if (headerBytes === 1) out[headerAt] = serialOfText(length);
    else putVarint(out, headerAt, serialOfText(length), headerBytes);
    // A call to copy costs more than a few words.
    if (length < 4) for (let j = 0; j < length; j++) out[at + j] = bytes[source + j] ?? 0;
    else if (length < 64) {
      for (let j = 0; j < length - 4; j += 4) view.setUint32(at + j, sources.getUint32(source + j));
      view.setUint32(at + length - 4, sources.getUint32(source + length - 4));
    } else out.set(bytes.subarray(source, source + length), at);
    next[i] = at + length;
  }
}

/** Adds the length of each text that is there to the bytes of its row. */
export function addTextBytes(
  recordBytes: Uint32Array,
  from: number,
  count: number,
  present: Uint8Array,
  lengths: Uint32Array,
): void {
  for (let i = 0; i < count; i++)
    if (present[from + i] !== 0) recordBytes[i] = (recordBytes[i] ?? 0) + (lengths[from + i] ?? 0);
}

/** Takes the bytes of each null from those of its row. `present` is 0 or 1. */
export function takeNullBytes(
  recordBytes: Uint32Array,
  from: number,
  count: number,
  present: Uint8Array,
  bytes: number,
): void {
  for (let i = 0; i < count; i++)
    recordBytes[i] = (recordBytes[i] ?? 0) - bytes + bytes * (present[from + i] ?? 0);
}
