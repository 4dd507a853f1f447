import type { OpenSource } from '../../shared/columns/byte-source.ts';

/** The parts in which a blob is read. */
export interface Windows {
  /** Bytes that are read at once, from a multiple of as many on. */
  readonly bytes: number;
  /** Windows that are held: what asks does not ask in the order in which bytes lie. */
  readonly most: number;
}

/** For what reads here and there. */
const SMALL: Windows = { bytes: 1 << 20, most: 8 };
/** For what reads all of a blob, more than once: each time takes milliseconds, however few bytes it gives. */
export const LARGE: Windows = { bytes: 4 << 20, most: 16 };

/** Reads a blob at once, window by window. Only a worker can. */
export function blobSource(name: string, blob: Blob, { bytes, most }: Windows = SMALL): OpenSource {
  const reader = new FileReaderSync();
  /** By their numbers, the one used last at the end. */
  const windows = new Map<number, Uint8Array>();
  const windowAt = (number: number): Uint8Array => {
    const from = number * bytes;
    const window =
      windows.get(number) ?? new Uint8Array(reader.readAsArrayBuffer(blob.slice(from, from + bytes)));
    windows.delete(number);
    windows.set(number, window);
    const [oldest] = windows.keys();
    if (windows.size > most && oldest !== undefined) windows.delete(oldest);
    return window;
  };
  return {
    name,
    sizeBytes: blob.size,
    read(into, at) {
      const end = Math.min(blob.size, at + into.length);
      for (let place = at; place < end;) {
        const number = Math.floor(place / bytes);
        const within = place - number * bytes;
        const part = windowAt(number).subarray(within, within + end - place);
        into.set(part, place - at);
        place += part.length;
      }
      return Math.max(0, end - at);
    },
    close: () => windows.clear(),
  };
}
