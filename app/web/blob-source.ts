import type { OpenSource } from '../../shared/columns/byte-source.ts';

/** Bytes that are read at once, from a multiple of as many on. */
const WINDOW_BYTES = 1 << 20;
/** Windows that are held: what asks does not ask in the order in which bytes lie. */
const WINDOWS_MAX = 8;

/** Reads a blob at once, window by window. Only a worker can. */
export function blobSource(name: string, blob: Blob): OpenSource {
  const reader = new FileReaderSync();
  /** By their numbers, the one used last at the end. */
  const windows = new Map<number, Uint8Array>();
  const windowAt = (number: number): Uint8Array => {
    const from = number * WINDOW_BYTES;
    const window =
      windows.get(number) ?? new Uint8Array(reader.readAsArrayBuffer(blob.slice(from, from + WINDOW_BYTES)));
    windows.delete(number);
    windows.set(number, window);
    const [oldest] = windows.keys();
    if (windows.size > WINDOWS_MAX && oldest !== undefined) windows.delete(oldest);
    return window;
  };
  return {
    name,
    sizeBytes: blob.size,
    read(into, at) {
      const end = Math.min(blob.size, at + into.length);
      for (let place = at; place < end;) {
        const number = Math.floor(place / WINDOW_BYTES);
        const within = place - number * WINDOW_BYTES;
        const part = windowAt(number).subarray(within, within + end - place);
        into.set(part, place - at);
        place += part.length;
      }
      return Math.max(0, end - at);
    },
    close: () => windows.clear(),
  };
}
