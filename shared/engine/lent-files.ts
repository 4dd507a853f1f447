/** Files that trace_processor reads by path and that need not exist: SQLite opens them by these imports of the WebAssembly. */
import type { ByteSource } from '../columns/byte-source.ts';

/** Numbers of errors as WebAssembly programs know them. */
const ERRNO = { access: 2, badFile: 8, invalid: 28, io: 29, noFile: 44 } as const;

/** Flags of `openat` as musl has them. */
const OPEN_WRITE = 0o1 | 0o2;

/** Commands of `fcntl` that ask for a lock or about one, and the kind of lock that says there is none. */
const FCNTL_GETLK = 5;
const LOCK_NONE = 2;

/** A regular file that anybody may read. */
const MODE_READ_ONLY_FILE = 0o100444;

/** The first descriptor that is given out: those below are the standard ones. */
const FIRST_DESCRIPTOR = 10;

interface OpenFile {
  readonly source: ByteSource;
  at: number;
}

/** What the engine can open: nothing but what is lent at that moment, and that to be read alone. */
export class LentFiles {
  /** The last error of a source that was read, which SQLite knows as an I/O error alone. */
  fault: unknown = null;
  readonly #lent = new Map<string, ByteSource>();
  readonly #open = new Map<number, OpenFile>();
  #nextDescriptor = FIRST_DESCRIPTOR;

  /** Lets the engine open `path` while `open` runs. What it opened then stays open until it closes it. */
  whileLent(path: string, source: ByteSource, open: () => void): void {
    this.#lent.set(path, source);
    try {
      open();
    } finally {
      this.#lent.delete(path);
    }
  }

  /** Whether the engine has `source` open. */
  isOpen(source: ByteSource): boolean {
    return [...this.#open.values()].some((file) => file.source === source);
  }

  /** Ends every use of `source`: what the engine has open of it can be read no more. */
  takeBack(source: ByteSource): void {
    for (const [descriptor, file] of this.#open) if (file.source === source) this.#open.delete(descriptor);
  }

  /** The imports of the WebAssembly that reach files. Pointers above 2 GiB come as negative numbers. */
  imports(memory: () => WebAssembly.Memory): Record<string, (...args: never[]) => unknown> {
    const view = () => new DataView(memory().buffer);
    const stat = (pointer: number, source: ByteSource | undefined) =>
      source === undefined ? -ERRNO.noFile : writeStat(view(), pointer >>> 0, source.sizeBytes);
    const lent = (path: number) => this.#lent.get(readText(memory(), path >>> 0));
    return {
      __syscall_openat: (_folder: number, path: number, flags: number) => {
        const source = lent(path);
        if (source === undefined) return -ERRNO.noFile;
        // SQLite asks to write first, and asks again to read where it may not.
        if ((flags & OPEN_WRITE) !== 0) return -ERRNO.access;
        this.#open.set(this.#nextDescriptor, { source, at: 0 });
        return this.#nextDescriptor++;
      },
      __syscall_fstat64: (file: number, pointer: number) => stat(pointer, this.#open.get(file)?.source),
      __syscall_stat64: (path: number, pointer: number) => stat(pointer, lent(path)),
      __syscall_lstat64: (path: number, pointer: number) => stat(pointer, lent(path)),
      __syscall_newfstatat: (_folder: number, path: number, pointer: number) => stat(pointer, lent(path)),
      __syscall_faccessat: (_folder: number, path: number) => (lent(path) === undefined ? -ERRNO.noFile : 0),
      // No lent path is a link.
      __syscall_readlinkat: () => -ERRNO.invalid,
      __syscall_fcntl64: (file: number, command: number, args: number) => {
        if (!this.#open.has(file)) return -ERRNO.badFile;
        // The engine alone has the file: each lock is granted, and no other holder has one.
        if (command === FCNTL_GETLK) {
          const lock = view().getUint32(args >>> 0, true);
          view().setInt16(lock, LOCK_NONE, true);
        }
        return 0;
      },
      fd_read: (file: number, vectors: number, count: number, readBytes: number) => {
        const open = this.#open.get(file);
        if (open === undefined) return ERRNO.badFile;
        let total = 0;
        try {
          for (let i = 0; i < count; i++) {
            const at = (vectors >>> 0) + i * 8;
            const sizeBytes = view().getUint32(at + 4, true);
            const into = new Uint8Array(memory().buffer, view().getUint32(at, true), sizeBytes);
            const done = open.source.read(into, open.at);
            open.at += done;
            total += done;
            if (done < sizeBytes) break;
          }
        } catch (error) {
          // An error thrown through the engine's frames would leave it in an undefined state.
          this.fault = error;
          return ERRNO.io;
        }
        view().setUint32(readBytes >>> 0, total, true);
        return 0;
      },
      fd_seek: (file: number, offset: bigint, whence: number, pointer: number) => {
        const open = this.#open.get(file);
        if (open === undefined) return ERRNO.badFile;
        const from = [0, open.at, open.source.sizeBytes][whence];
        if (from === undefined) return ERRNO.invalid;
        open.at = from + Number(offset);
        view().setBigInt64(pointer >>> 0, BigInt(open.at), true);
        return 0;
      },
      fd_close: (file: number) => (this.#open.delete(file) ? 0 : ERRNO.badFile),
    };
  }
}

/** A text that ends with a zero byte. */
function readText(memory: WebAssembly.Memory, pointer: number): string {
  const rest = new Uint8Array(memory.buffer, pointer);
  // A copy, since TextDecoder takes no view of memory that can grow.
  return new TextDecoder().decode(rest.slice(0, rest.indexOf(0)));
}

/** `struct stat` as Emscripten lays it out: device, mode, links, owner, group, kind, size, block size, blocks, times, inode. */
function writeStat(view: DataView, pointer: number, sizeBytes: number): number {
  for (let at = 0; at < 96; at += 4) view.setUint32(pointer + at, 0, true);
  view.setUint32(pointer, 1, true);
  view.setUint32(pointer + 4, MODE_READ_ONLY_FILE, true);
  view.setUint32(pointer + 8, 1, true);
  view.setBigInt64(pointer + 24, BigInt(sizeBytes), true);
  view.setInt32(pointer + 32, 4096, true);
  view.setInt32(pointer + 36, Math.ceil(sizeBytes / 512), true);
  view.setBigInt64(pointer + 88, 1n, true);
  return 0;
}
