import { FileError } from '../../shared/wasi/files.ts';

/** Bytes that are written and read by position. */
export interface ByteStore {
  sizeBytes(): number;
  read(into: Uint8Array, at: number): number;
  write(from: Uint8Array, at: number): void;
  empty(): void;
}

const CHUNK_BYTES = 1 << 20;

/** Bytes in memory, in chunks, so that they grow without being copied. */
export class MemoryStore implements ByteStore {
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #sizeBytes = 0;

  sizeBytes(): number {
    return this.#sizeBytes;
  }

  read(into: Uint8Array, at: number): number {
    const end = Math.min(this.#sizeBytes, at + into.length);
    for (let place = at; place < end;) {
      const part = this.#chunk(place).subarray(place % CHUNK_BYTES, (place % CHUNK_BYTES) + end - place);
      into.set(part, place - at);
      place += part.length;
    }
    return Math.max(0, end - at);
  }

  write(from: Uint8Array, at: number): void {
    for (let done = 0; done < from.length;) {
      const within = (at + done) % CHUNK_BYTES;
      const part = from.subarray(done, done + CHUNK_BYTES - within);
      this.#chunk(at + done).set(part, within);
      done += part.length;
    }
    this.#sizeBytes = Math.max(this.#sizeBytes, at + from.length);
  }

  empty(): void {
    this.#chunks.length = 0;
    this.#sizeBytes = 0;
  }

  blob(): Blob {
    const last = this.#sizeBytes % CHUNK_BYTES;
    const isShort = (at: number): boolean => at === this.#chunks.length - 1 && last > 0;
    return new Blob(this.#chunks.map((chunk, at) => (isShort(at) ? chunk.subarray(0, last) : chunk)));
  }

  #chunk(at: number): Uint8Array<ArrayBuffer> {
    const index = Math.floor(at / CHUNK_BYTES);
    while (this.#chunks.length <= index) this.#chunks.push(new Uint8Array(CHUNK_BYTES));
    const chunk = this.#chunks[index];
    if (chunk === undefined) throw new FileError('ENOSPC', 'memory');
    return chunk;
  }
}

/** What a worker may do with a file of the origin's private file system at once. */
export interface SyncFile {
  getSize(): number;
  read(into: Uint8Array, options: { readonly at: number }): number;
  write(from: Uint8Array, options: { readonly at: number }): number;
  truncate(sizeBytes: number): void;
  flush(): void;
  close(): void;
}

/** Bytes are moved in pieces of so many. */
const MOVED_BYTES = 1 << 20;
/** Bytes that follow one another are written together: the browser takes a millisecond for each time, however few they are. */
const WRITTEN_BYTES = 1 << 20;

/** Bytes in a file of the origin's private file system; in memory from where the browser gives no more room on. */
export class PrivateFileStore implements ByteStore {
  readonly #file: SyncFile;
  #memory: MemoryStore | null = null;
  /** What is to be written from `#late_at` on. */
  #late: Uint8Array | null = null;
  #late_at = 0;
  #lateBytes = 0;

  constructor(
    /** Its name in its folder. */
    readonly name: string,
    file: SyncFile,
  ) {
    this.#file = file;
  }

  /** Its bytes, if they are in memory. */
  get memory(): MemoryStore | null {
    return this.#memory;
  }

  sizeBytes(): number {
    return this.#memory?.sizeBytes() ?? Math.max(this.#file.getSize(), this.#late_at + this.#lateBytes);
  }

  read(into: Uint8Array, at: number): number {
    this.#writeLate();
    return this.#memory?.read(into, at) ?? this.#file.read(into, { at });
  }

  write(from: Uint8Array, at: number): void {
    const isNext = at === this.#late_at + this.#lateBytes;
    if (!isNext || this.#lateBytes + from.length > WRITTEN_BYTES) this.#writeLate();
    if (this.#memory !== null || from.length > WRITTEN_BYTES) {
      this.#writeNow(from, at);
      return;
    }
    this.#late ??= new Uint8Array(WRITTEN_BYTES);
    if (this.#lateBytes === 0) this.#late_at = at;
    this.#late.set(from, this.#lateBytes);
    this.#lateBytes += from.length;
  }

  empty(): void {
    [this.#late_at, this.#lateBytes] = [0, 0];
    this.#memory?.empty();
    this.#file.truncate(0);
  }

  close(): void {
    this.#writeLate();
    this.#late = null;
    this.#file.flush();
    this.#file.close();
  }

  #writeLate(): void {
    if (this.#late === null || this.#lateBytes === 0) return;
    const late = this.#late.subarray(0, this.#lateBytes);
    this.#lateBytes = 0;
    this.#writeNow(late, this.#late_at);
  }

  #writeNow(from: Uint8Array, at: number): void {
    if (this.#memory === null && this.#isWritten(from, at)) return;
    this.#memory ??= this.#moved();
    this.#memory.write(from, at);
  }

  #isWritten(from: Uint8Array, at: number): boolean {
    try {
      return this.#file.write(from, { at }) === from.length;
    } catch {
      return false;
    }
  }

  #moved(): MemoryStore {
    const memory = new MemoryStore();
    const part = new Uint8Array(MOVED_BYTES);
    for (let at = 0; at < this.#file.getSize(); at += part.length)
      memory.write(part.subarray(0, this.#file.read(part, { at })), at);
    this.#file.truncate(0);
    return memory;
  }
}
