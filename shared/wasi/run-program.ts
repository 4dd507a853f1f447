import { BADF, INVAL, NOSYS, OK, errorNumber } from './errno.ts';
import type { Files, FolderEntry, OpenFile } from './files.ts';
import { GuestMemory } from './guest-memory.ts';

/** A program of WebAssembly for WASI preview 1, and what it runs with. */
export interface Program {
  readonly module: WebAssembly.Module;
  /** The name that it is called by, and its arguments. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly files: Files;
  /** Gives what it reads from stdin: fills `into` from the start, and tells how many bytes; 0 at the end. Absent: nothing. */
  readonly stdin?: (into: Uint8Array) => number;
  /** Take what it prints; the bytes are theirs. */
  readonly stdout: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly stderr: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** Fills bytes with random ones. */
  readonly fillRandom: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** Whether a person reads what it prints to stderr as it comes. */
  readonly isTerminal: boolean;
}

/** The status of a program that was ended by a fault of its own, as a shell gives it for `SIGABRT`. */
export const ABORTED = 134;

/** The number and the name of the folder that the program finds all of its paths in. */
const ROOT = { number: 3, name: '/' } as const;

const FILE_TYPE = { device: 2, folder: 3, file: 4 } as const;
const RIGHT = { read: 1n << 1n, write: 1n << 6n } as const;
const ALL_RIGHTS = 0x1fff_ffffn;
/** What a terminal is known by: a device without the rights to seek and to tell the position. */
const TERMINAL_RIGHTS = ALL_RIGHTS & ~((1n << 2n) | (1n << 5n));
const STDERR = 2;
const OPEN = { creates: 1, isFolder: 2, isNew: 4, empties: 8 } as const;
/** Bytes of an entry of a folder before its name. */
const ENTRY_BYTES = 24;
const WALL_CLOCK = 0;

/** What a number stands for that the program knows something open by. */
type Descriptor =
  | { readonly kind: 'file'; readonly file: OpenFile; at: number }
  | { readonly kind: 'folder'; readonly entries: readonly FolderEntry[] }
  | { readonly kind: 'input'; readonly give: (into: Uint8Array) => number }
  | { readonly kind: 'stream'; readonly take: (bytes: Uint8Array<ArrayBuffer>) => void };

class Exit extends Error {
  constructor(readonly status: number) {
    super(`exit ${status}`);
  }
}

/**
 * Runs a program to its end; its exit status. All in the calling thread, which should therefore be a worker or a process
 * of its own: to end the program, end that.
 */
export function runProgram(program: Program): number {
  const memory = new GuestMemory();
  const known = calls(program, memory);
  const imports: Record<string, WebAssembly.ModuleImports> = {};
  for (const { module, name } of WebAssembly.Module.imports(program.module))
    (imports[module] ??= {})[name] = known[name] ?? (() => NOSYS);
  try {
    const { exports } = new WebAssembly.Instance(program.module, imports);
    memory.attach(exports.memory as WebAssembly.Memory);
    (exports._start as () => void)();
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.status;
    if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
    program.stderr(
      new TextEncoder().encode(`${program.args[0] ?? ''}: ended by a fault: ${error.message}\n`),
    );
    return ABORTED;
  }
}

/** Numbers of 32 bits come as `number`, of 64 as `bigint`; the types below say which. */
type Call = (...args: never[]) => number;

/** The calls of WASI by name, https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md */
function calls(program: Program, memory: GuestMemory): Record<string, Call> {
  const { args, environment, files, stdin, stdout, stderr, fillRandom, isTerminal } = program;
  const open = new Map<number, Descriptor>([
    [0, { kind: 'input', give: stdin ?? (() => 0) }],
    [1, { kind: 'stream', take: stdout }],
    [STDERR, { kind: 'stream', take: stderr }],
    [ROOT.number, { kind: 'folder', entries: [] }],
  ]);
  let next = open.size;

  const strings = (texts: readonly string[]): { sizes: Call; get: Call } => {
    const encoded = texts.map((text) => new TextEncoder().encode(`${text}\0`));
    return {
      sizes(count: number, sizeBytes: number) {
        memory.setUint32(count, encoded.length);
        memory.setUint32(
          sizeBytes,
          encoded.reduce((sum, { length }) => sum + length, 0),
        );
        return OK;
      },
      get(list: number, at: number) {
        for (const [index, bytes] of encoded.entries()) {
          memory.setUint32(list + 4 * index, at);
          memory.part(at, bytes.length).set(bytes);
          at += bytes.length;
        }
        return OK;
      },
    };
  };
  const given = strings(args);
  const variables = strings(Object.entries(environment).map(([name, value]) => `${name}=${value}`));

  const pathAt = (text: number, lengthBytes: number): string => ROOT.name + memory.text(text, lengthBytes);
  const tell = (out: number, fileType: number, sizeBytes: number): number => {
    memory.part(out, 64).fill(0);
    memory.view().setUint8(out + 16, fileType);
    memory.setUint64(out + 24, 1);
    memory.setUint64(out + 32, sizeBytes);
    return OK;
  };
  const typeOf = ({ kind }: Descriptor): number =>
    kind === 'file' ? FILE_TYPE.file : kind === 'folder' ? FILE_TYPE.folder : FILE_TYPE.device;

  const all: Record<string, Call> = {
    args_sizes_get: given.sizes,
    args_get: given.get,
    environ_sizes_get: variables.sizes,
    environ_get: variables.get,

    clock_time_get(clock: number, _precision: bigint, out: number) {
      memory.setUint64(out, (clock === WALL_CLOCK ? Date.now() : performance.now()) * 1e6);
      return OK;
    },
    random_get(at: number, lengthBytes: number) {
      fillRandom(memory.part(at, lengthBytes));
      return OK;
    },
    sched_yield: () => OK,
    proc_exit(status: number) {
      throw new Exit(status);
    },

    fd_prestat_get(number: number, out: number) {
      if (number !== ROOT.number) return BADF;
      memory.view().setUint8(out, 0);
      memory.setUint32(out + 4, ROOT.name.length);
      return OK;
    },
    fd_prestat_dir_name(number: number, at: number, lengthBytes: number) {
      if (number !== ROOT.number) return BADF;
      memory.part(at, lengthBytes).set(new TextEncoder().encode(ROOT.name).subarray(0, lengthBytes));
      return OK;
    },
    fd_fdstat_get(number: number, out: number) {
      const found = open.get(number);
      if (found === undefined) return BADF;
      memory.part(out, 24).fill(0);
      memory.view().setUint8(out, typeOf(found));
      memory
        .view()
        .setBigUint64(out + 8, isTerminal && number === STDERR ? TERMINAL_RIGHTS : ALL_RIGHTS, true);
      memory.view().setBigUint64(out + 16, ALL_RIGHTS, true);
      return OK;
    },
    fd_filestat_get(number: number, out: number) {
      const found = open.get(number);
      if (found === undefined) return BADF;
      return tell(out, typeOf(found), found.kind === 'file' ? found.file.sizeBytes() : 0);
    },
    fd_close(number: number) {
      const found = open.get(number);
      if (found === undefined) return BADF;
      open.delete(number);
      if (found.kind === 'file') found.file.close();
      return OK;
    },
    fd_readdir(number: number, at: number, roomBytes: number, first: bigint, out: number) {
      const found = open.get(number);
      if (found?.kind !== 'folder') return BADF;
      let used = 0;
      // Less than there is room for is the end; an entry may be cut, and is asked for again.
      for (let index = Number(first); index < found.entries.length && used < roomBytes; index += 1) {
        const { name, isFolder } = found.entries[index] ?? { name: '', isFolder: false };
        const entry = entryBytes(index, new TextEncoder().encode(name), isFolder);
        const fits = entry.subarray(0, roomBytes - used);
        memory.part(at + used, fits.length).set(fits);
        used += fits.length;
      }
      memory.setUint32(out, used);
      return OK;
    },
    fd_seek(number: number, offset: bigint, whence: number, out: number) {
      const found = open.get(number);
      if (found?.kind !== 'file') return BADF;
      // Only the end asks the system for the file's size.
      const from = whence === 2 ? found.file.sizeBytes() : [0, found.at][whence];
      if (from === undefined || from + Number(offset) < 0) return INVAL;
      found.at = from + Number(offset);
      memory.setUint64(out, found.at);
      return OK;
    },
    fd_read(number: number, list: number, count: number, out: number) {
      const found = open.get(number);
      if (found === undefined) return BADF;
      let done = 0;
      for (const part of memory.parts(list, count)) {
        const got =
          found.kind === 'file'
            ? found.file.read(part, found.at)
            : found.kind === 'input'
              ? found.give(part)
              : 0;
        if (found.kind === 'file') found.at += got;
        done += got;
        if (got < part.length) break;
      }
      memory.setUint32(out, done);
      return OK;
    },
    fd_write(number: number, list: number, count: number, out: number) {
      const found = open.get(number);
      if (found?.kind !== 'file' && found?.kind !== 'stream') return BADF;
      let done = 0;
      for (const part of memory.parts(list, count)) {
        if (found.kind === 'file') {
          found.file.write(part, found.at);
          found.at += part.length;
        } else found.take(part.slice());
        done += part.length;
      }
      memory.setUint32(out, done);
      return OK;
    },

    path_open(
      _root: number,
      _links: number,
      path: number,
      lengthBytes: number,
      flags: number,
      rights: bigint,
      _inherited: bigint,
      _flags: number,
      out: number,
    ) {
      const name = pathAt(path, lengthBytes);
      if ((flags & OPEN.isFolder) !== 0) {
        open.set(next, { kind: 'folder', entries: files.list(name) });
        memory.setUint32(out, next);
        next += 1;
        return OK;
      }
      const file = files.open(name, {
        reads: (rights & RIGHT.read) !== 0n,
        writes: (rights & RIGHT.write) !== 0n,
        creates: (flags & OPEN.creates) !== 0,
        isNew: (flags & OPEN.isNew) !== 0,
        empties: (flags & OPEN.empties) !== 0,
      });
      open.set(next, { kind: 'file', file, at: 0 });
      memory.setUint32(out, next);
      next += 1;
      return OK;
    },
    path_filestat_get(_root: number, _links: number, path: number, lengthBytes: number, out: number) {
      const { isFolder, sizeBytes } = files.info(pathAt(path, lengthBytes));
      return tell(out, isFolder ? FILE_TYPE.folder : FILE_TYPE.file, sizeBytes);
    },
    path_readlink(
      _root: number,
      path: number,
      lengthBytes: number,
      at: number,
      roomBytes: number,
      out: number,
    ) {
      const target = new TextEncoder().encode(files.linkTarget(pathAt(path, lengthBytes)));
      const fits = target.subarray(0, roomBytes);
      memory.part(at, fits.length).set(fits);
      memory.setUint32(out, fits.length);
      return OK;
    },
    path_create_directory(_root: number, path: number, lengthBytes: number) {
      files.makeFolder(pathAt(path, lengthBytes));
      return OK;
    },
    path_rename(
      _root: number,
      path: number,
      lengthBytes: number,
      _toRoot: number,
      to: number,
      toLengthBytes: number,
    ) {
      files.rename(pathAt(path, lengthBytes), pathAt(to, toLengthBytes));
      return OK;
    },
    path_unlink_file(_root: number, path: number, lengthBytes: number) {
      files.remove(pathAt(path, lengthBytes));
      return OK;
    },
  };
  return Object.fromEntries(Object.entries(all).map(([name, call]) => [name, telling(call)]));
}

/** An entry of a folder as `fd_readdir` gives it: where the next one is, a number that is not 0, the name's length, the type, the name. */
function entryBytes(index: number, name: Uint8Array, isFolder: boolean): Uint8Array {
  const entry = new Uint8Array(ENTRY_BYTES + name.length);
  const view = new DataView(entry.buffer);
  view.setBigUint64(0, BigInt(index + 1), true);
  view.setBigUint64(8, BigInt(index + 1), true);
  view.setUint32(16, name.length, true);
  view.setUint8(20, isFolder ? FILE_TYPE.folder : FILE_TYPE.file);
  entry.set(name, ENTRY_BYTES);
  return entry;
}

/** A call that answers with the number of an error where files threw one. */
function telling(call: Call): Call {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      if (error instanceof Exit) throw error;
      return errorNumber(error);
    }
  };
}
