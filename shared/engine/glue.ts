/** trace_processor as WebAssembly: memory, imports, and a way in and out for bytes. Runs in Node 16+ and in browsers. */
import type { LentFiles } from './lent-files.ts';

/** The largest request that {@link WasmInstance.send} takes at once, in bytes. */
export const REQUEST_BYTES_MAX = 32 * 1024 * 1024;

const PAGE_BYTES = 65_536;
const LOG_LINES_KEPT = 200;
const ERRNO_NOT_SUPPORTED = 52;
const ERRNO_BAD_FILE = 8;

/** The descriptor of the standard output for errors; none above is written to. */
const STANDARD_ERROR = 2;

/** All that 32-bit WebAssembly can address. */
export const MEMORY_BYTES_MAX = 4 * 2 ** 30;

/** A running trace_processor. What it takes and gives are plain bytes here. */
export interface WasmInstance {
  /** Hands over one request of at most {@link REQUEST_BYTES_MAX} bytes; replies arrive before it returns. May trap. */
  send(request: Uint8Array): void;
  /** After a trap: gives back the stack that the trapped call held. `send` may be called again then. */
  restoreStack(): void;
  /** Bytes of memory taken so far. Never shrinks. */
  heapBytes(): number;
  /** True once the engine asked for memory that there is not. */
  outOfMemory(): boolean;
  /** The last lines that the engine logged, for crash reports. */
  log(): readonly string[];
}

/** What trace_processor 55 exports, as far as it is used here. */
interface Exports {
  memory: WebAssembly.Memory;
  __indirect_function_table: WebAssembly.Table;
  __wasm_call_ctors(): void;
  emscripten_stack_init(): void;
  emscripten_stack_get_current(): number;
  _emscripten_stack_restore(pointer: number): void;
  trace_processor_rpc_init(callback: number, requestBytesMax: number): number;
  trace_processor_on_rpc_request(sizeBytes: number): void;
}

/**
 * Starts trace_processor with at most `memoryBytesMax` of memory. `onReply` gets slices of it, to be copied before it
 * returns. `files`: the files that it can open.
 */
export async function instantiate(
  module: WebAssembly.Module,
  onReply: (slice: Uint8Array) => void,
  memoryBytesMax: number,
  files: LentFiles,
): Promise<WasmInstance> {
  const log = new Log();
  const limits = { memoryBytesMax, outOfMemory: false };
  const instance = await WebAssembly.instantiate(
    module,
    imports(module, () => exports.memory, log, limits, files),
  );
  const exports = instance.exports as unknown as Exports;
  exports.emscripten_stack_init();
  exports.__wasm_call_ctors();

  const slot = exports.__indirect_function_table.grow(1);
  exports.__indirect_function_table.set(
    slot,
    await wasmFunction((pointer, sizeBytes) => {
      onReply(new Uint8Array(exports.memory.buffer, pointer >>> 0, sizeBytes >>> 0));
    }),
  );
  const requestAddress = exports.trace_processor_rpc_init(slot, REQUEST_BYTES_MAX) >>> 0;
  let stackPointer = exports.emscripten_stack_get_current();

  return {
    send(request) {
      if (request.length > REQUEST_BYTES_MAX) {
        throw new RangeError(`a request of ${request.length} bytes is above ${REQUEST_BYTES_MAX}`);
      }
      new Uint8Array(exports.memory.buffer).set(request, requestAddress);
      stackPointer = exports.emscripten_stack_get_current();
      exports.trace_processor_on_rpc_request(request.length);
    },
    restoreStack: () => exports._emscripten_stack_restore(stackPointer),
    heapBytes: () => exports.memory.buffer.byteLength,
    outOfMemory: () => limits.outOfMemory,
    log: () => log.lines,
  };
}

/** The last lines of the engine's output. */
class Log {
  readonly lines: string[] = [];

  write(bytes: Uint8Array): void {
    // A copy, since TextDecoder takes no view of memory that can grow.
    for (const line of new TextDecoder().decode(bytes.slice()).split('\n')) {
      if (line !== '') this.lines.push(line);
    }
    this.lines.splice(0, this.lines.length - LOG_LINES_KEPT);
  }
}

/** Every import of the module: the few that trace_processor calls, and a refusal for the rest. */
function imports(
  module: WebAssembly.Module,
  memory: () => WebAssembly.Memory,
  log: Log,
  limits: { readonly memoryBytesMax: number; outOfMemory: boolean },
  files: LentFiles,
): WebAssembly.Imports {
  const bytes = (pointer: number, sizeBytes: number) =>
    new Uint8Array(memory().buffer, pointer >>> 0, sizeBytes >>> 0);
  const view = () => new DataView(memory().buffer);
  const give = (name: string) => () => {
    throw new Error(`trace_processor called ${name}`);
  };
  const known: Record<string, (...args: never[]) => unknown> = {
    emscripten_get_now: () => performance.now(),
    emscripten_date_now: () => Date.now(),
    clock_time_get: (clock: number, _precision: bigint, pointer: number) => {
      const now_ms = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(pointer >>> 0, BigInt(Math.round(now_ms * 1e6)), true);
      return 0;
    },
    emscripten_get_heap_max: () => limits.memoryBytesMax - PAGE_BYTES,
    emscripten_resize_heap: (neededBytes: number) => {
      const grown = grow(memory(), neededBytes >>> 0, limits.memoryBytesMax);
      if (!grown) limits.outOfMemory = true;
      return grown ? 1 : 0;
    },
    emscripten_err: (pointer: number) => {
      const rest = new Uint8Array(memory().buffer, pointer >>> 0);
      log.write(rest.subarray(0, rest.indexOf(0)));
    },
    emscripten_errn: (pointer: number, sizeBytes: number) => log.write(bytes(pointer, sizeBytes)),
    fd_write: (file: number, vectors: number, count: number, writtenBytes: number) => {
      if (file > STANDARD_ERROR) return ERRNO_BAD_FILE;
      let total = 0;
      for (let i = 0; i < count; i++) {
        const at = (vectors >>> 0) + i * 8;
        const sizeBytes = view().getUint32(at + 4, true);
        log.write(bytes(view().getUint32(at, true), sizeBytes));
        total += sizeBytes;
      }
      view().setUint32(writtenBytes >>> 0, total, true);
      return 0;
    },
    environ_sizes_get: (count: number, sizeBytes: number) => {
      view().setUint32(count >>> 0, 0, true);
      view().setUint32(sizeBytes >>> 0, 0, true);
      return 0;
    },
    environ_get: () => 0,
    _abort_js: give('abort'),
    __assert_fail: give('assert'),
    __cxa_throw: give('throw'),
    exit: give('exit'),
    proc_exit: give('exit'),
    _tzset_js: (timezone: number, daylight: number) => {
      view().setInt32(timezone >>> 0, 0, true);
      view().setInt32(daylight >>> 0, 0, true);
    },
    _gmtime_js: (seconds: bigint, pointer: number) => writeTm(view(), pointer >>> 0, seconds),
    // The trace's own times are UTC; the zone of this machine has no meaning for them.
    _localtime_js: (seconds: bigint, pointer: number) => writeTm(view(), pointer >>> 0, seconds),
    _timegm_js: (pointer: number) => readTm(view(), pointer >>> 0),
    emscripten_asm_const_int: () => 0,
    HaveOffsetConverter: () => 0,
    emscripten_stack_snapshot: () => 0,
    emscripten_stack_unwind_buffer: () => 0,
    emscripten_pc_get_function: () => 0,
    ...files.imports(memory),
  };
  const found: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: space, name } of WebAssembly.Module.imports(module)) {
    const refusal = space === 'env' ? -ERRNO_NOT_SUPPORTED : ERRNO_NOT_SUPPORTED;
    (found[space] ??= {})[name] = known[name] ?? (() => refusal);
  }
  return found;
}

/** Grows in generous steps, since each step copies; where those fail, by exactly what is needed. */
function grow(memory: WebAssembly.Memory, neededBytes: number, maxBytes: number): boolean {
  const hadBytes = memory.buffer.byteLength;
  const generousBytes = Math.max(neededBytes, Math.min(hadBytes * 1.2, neededBytes + 96 * 1024 * 1024));
  for (const wantedBytes of [generousBytes, neededBytes]) {
    const pages = Math.ceil(Math.min(wantedBytes, maxBytes) / PAGE_BYTES);
    if (pages * PAGE_BYTES < neededBytes) continue;
    try {
      memory.grow(pages - hadBytes / PAGE_BYTES);
      return true;
    } catch {
      // The next smaller step may still fit.
    }
  }
  return false;
}

/** `struct tm` as musl lays it out: nine i32 from seconds to the daylight flag. */
function writeTm(view: DataView, pointer: number, seconds: bigint): void {
  const date = new Date(Number(seconds) * 1000);
  const newYear = Date.UTC(date.getUTCFullYear(), 0, 1);
  const fields = [
    date.getUTCSeconds(),
    date.getUTCMinutes(),
    date.getUTCHours(),
    date.getUTCDate(),
    date.getUTCMonth(),
    date.getUTCFullYear() - 1900,
    date.getUTCDay(),
    Math.floor((date.getTime() - newYear) / 86_400_000),
    0,
  ];
  fields.forEach((field, i) => view.setInt32(pointer + i * 4, field, true));
}

function readTm(view: DataView, pointer: number): bigint {
  const field = (i: number) => view.getInt32(pointer + i * 4, true);
  return BigInt(Date.UTC(field(5) + 1900, field(4), field(3), field(2), field(1), field(0)) / 1000);
}

/** The type `(i32, i32) -> ()` around a JavaScript function: a module that imports it and exports it again. */
async function wasmFunction(call: (a: number, b: number) => void): Promise<unknown> {
  // prettier-ignore
  const module = new Uint8Array([
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic word, version
    0x01, 0x06, 0x01, 0x60, 0x02, 0x7f, 0x7f, 0x00, // type 0: (i32, i32) -> ()
    0x02, 0x07, 0x01, 0x01, 0x65, 0x01, 0x66, 0x00, 0x00, // import "e" "f" of type 0
    0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00, // export "f"
  ]);
  const { instance } = await WebAssembly.instantiate(module, { e: { f: call } });
  return instance.exports.f;
}
