/** Bytes that can be read at any place: a file, a part of memory, or what is made on demand. */
export interface ByteSource {
  /** What errors call it: for a file, its path. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Fills `into` with the bytes from offset `at` on; gives how many there were, fewer only at the end. */
  read(into: Uint8Array, at: number): number;
}

/** Bytes that can be read until they are closed. */
export interface OpenSource extends ByteSource {
  close(): void;
}

/** The bytes of `bytes`, which are not copied. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    sizeBytes: bytes.length,
    read(into, at) {
      const part = bytes.subarray(at, at + into.length);
      into.set(part);
      return part.length;
    },
  };
}
