import { EngineError } from './engine.ts';
import type { SqlModule } from '../sql/index.ts';
import { encodeRequest, ReplyStream, type Reply, type Request } from './codec.ts';
import { instantiate, MEMORY_BYTES_MAX, type WasmInstance } from './glue.ts';
import { endOf, readSqlError } from './sql-error.ts';
import { concat } from './wire.ts';

/** The check that trace_processor 55 fails on SQL that ends too early, instead of answering with an error. */
const INCOMPLETE_SQL_CHECK = 'rewritten_offset <= rewritten_sql.size()';

/** One trace_processor in this thread: calls block until they are done, and throw an {@link EngineError}. */
export class TraceProcessor {
  readonly #wasm: WasmInstance;
  readonly #slices: Uint8Array[];
  readonly #stream = new ReplyStream();
  #seq = 0;
  #crash: EngineError | null = null;

  private constructor(wasm: WasmInstance, slices: Uint8Array[]) {
    this.#wasm = wasm;
    this.#slices = slices;
  }

  /** Starts an engine without a trace, from the compiled `trace_processor.wasm`. */
  static async start(module: WebAssembly.Module, memoryBytesMax = MEMORY_BYTES_MAX): Promise<TraceProcessor> {
    const slices: Uint8Array[] = [];
    // Only copied here, since an error thrown through the engine's frames would leave it in an undefined state.
    const wasm = await instantiate(module, (slice) => slices.push(slice.slice()), memoryBytesMax);
    return new TraceProcessor(wasm, slices);
  }

  /** Bytes of memory that the engine has taken. */
  get heapBytes(): number {
    return this.#wasm.heapBytes();
  }

  /** Parses the next bytes of a trace; the first ones after {@link finalize} begin a new trace. */
  append(bytes: Uint8Array): void {
    this.#expect('load', { kind: 'append', bytes });
  }

  /** Ends the trace: its tables can be queried from here on. */
  finalize(): void {
    this.#expect('load', { kind: 'finalize' });
  }

  /** Makes modules known for `INCLUDE PERFETTO MODULE`. Holds until the next trace. */
  register(name: string, modules: readonly SqlModule[]): void {
    this.#expect('sql', { kind: 'register', name, modules });
  }

  /** Runs SQL; the rows are the last statement's, as `QueryResult` messages joined. */
  query(sql: string): Uint8Array<ArrayBuffer> {
    const replies = this.#ask({ kind: 'query', sql }, () => {
      if (!this.#failedCheck(INCOMPLETE_SQL_CHECK)) return null;
      return new EngineError('sql', 'incomplete SQL statement', endOf(sql));
    });
    for (const { error } of replies) {
      if (error !== null) throw readSqlError(error);
    }
    return concat(replies.map((reply) => reply.result ?? new Uint8Array(0)));
  }

  #expect(kind: 'load' | 'sql', request: Request): void {
    for (const { error } of this.#ask(request, () => null)) {
      if (error !== null) throw new EngineError(kind, error);
    }
  }

  /** One request and its replies. `cure` gives the error that a trap stands for, if the engine survives it. */
  #ask(request: Request, cure: () => EngineError | null): Reply[] {
    if (this.#crash !== null) throw this.#crash;
    try {
      this.#wasm.send(encodeRequest(this.#seq++, request));
    } catch (trap) {
      const cured = this.#wasm.outOfMemory() ? null : cure();
      this.#slices.length = 0;
      if (cured === null) throw this.#crashed(trap instanceof Error ? trap.message : String(trap));
      this.#wasm.restoreStack();
      throw cured;
    }
    const replies = this.#slices.splice(0).flatMap((slice) => this.#stream.push(slice));
    const fatal = replies.find((reply) => reply.fatal);
    if (fatal !== undefined) throw this.#crashed(fatal.error ?? 'it takes no more requests');
    return replies;
  }

  #failedCheck(text: string): boolean {
    return this.#lastLogged('PERFETTO_CHECK(')?.includes(text) ?? false;
  }

  #lastLogged(text: string): string | undefined {
    return this.#wasm
      .log()
      .filter((line) => line.includes(text))
      .at(-1);
  }

  #crashed(reason: string): EngineError {
    const usedGib = (this.heapBytes / 2 ** 30).toFixed(1);
    this.#crash = new EngineError(
      'crashed',
      this.#wasm.outOfMemory()
        ? `the trace needs more memory than trace_processor can have (it holds ${usedGib} GiB)`
        : `trace_processor crashed: ${this.#lastLogged('PERFETTO_') ?? reason}`,
    );
    return this.#crash;
  }
}
