import { expect, test } from 'vitest';
import { PrivateFileStore, type SyncFile } from './byte-store.ts';

/** A file of the private file system, in memory, that takes so many bytes; `writes` are how many came at each time. */
class LimitedFile implements SyncFile {
  readonly writes: number[] = [];
  readonly #limitBytes: number;
  #bytes = new Uint8Array(0);

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  getSize(): number {
    return this.#bytes.length;
  }

  read(into: Uint8Array, { at }: { readonly at: number }): number {
    const part = this.#bytes.subarray(at, at + into.length);
    into.set(part);
    return part.length;
  }

  write(from: Uint8Array, { at }: { readonly at: number }): number {
    if (at + from.length > this.#limitBytes) throw new Error('QuotaExceededError');
    const grown = new Uint8Array(Math.max(this.#bytes.length, at + from.length));
    grown.set(this.#bytes);
    grown.set(from, at);
    this.#bytes = grown;
    this.writes.push(from.length);
    return from.length;
  }

  truncate(sizeBytes: number): void {
    this.#bytes = this.#bytes.slice(0, sizeBytes);
  }

  flush(): void {
    // All is written.
  }

  close(): void {
    // Nothing is open.
  }
}

const MIB = 1 << 20;

function bytesOf(store: PrivateFileStore): number[] {
  const bytes = new Uint8Array(store.sizeBytes());
  expect(store.read(bytes, 0)).toBe(bytes.length);
  return [...bytes];
}

test('what follows one another is written together; what is read is what was written', () => {
  const file = new LimitedFile(MIB);
  const store = new PrivateFileStore('0', file);
  for (const part of [[1, 2], [3], [4, 5, 6]]) store.write(Uint8Array.from(part), store.sizeBytes());
  expect({ sizeBytes: store.sizeBytes(), writes: file.writes }).toEqual({ sizeBytes: 6, writes: [] });
  store.write(Uint8Array.of(9), 1);
  expect(file.writes).toEqual([6]);
  expect(bytesOf(store)).toEqual([1, 9, 3, 4, 5, 6]);
  expect(file.writes).toEqual([6, 1]);
  store.write(Uint8Array.of(7), 6);
  store.close();
  expect({ writes: file.writes, sizeBytes: file.getSize() }).toEqual({ writes: [6, 1, 1], sizeBytes: 7 });
});

test('a long part is written as it comes, after what came before', () => {
  const file = new LimitedFile(4 * MIB);
  const store = new PrivateFileStore('0', file);
  store.write(Uint8Array.of(1, 2), 0);
  store.write(new Uint8Array(MIB + 1), 2);
  expect({ writes: file.writes, sizeBytes: store.sizeBytes() }).toEqual({
    writes: [2, MIB + 1],
    sizeBytes: MIB + 3,
  });
});

test('what the browser has no room for is in memory, with all that came before', () => {
  const store = new PrivateFileStore('0', new LimitedFile(3));
  store.write(Uint8Array.of(1, 2, 3), 0);
  expect(bytesOf(store)).toEqual([1, 2, 3]);
  store.write(Uint8Array.of(4), 3);
  store.write(Uint8Array.of(8), 0);
  expect(bytesOf(store)).toEqual([8, 2, 3, 4]);
  expect(store.memory?.sizeBytes()).toBe(4);
  store.empty();
  expect(bytesOf(store)).toEqual([]);
});

test('what is late at the end is in memory where there is no room', () => {
  const store = new PrivateFileStore('0', new LimitedFile(3));
  store.write(Uint8Array.of(1, 2, 3, 4), 0);
  store.close();
  expect(store.memory?.sizeBytes()).toBe(4);
});
