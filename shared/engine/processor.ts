import { EngineError, OUT_OF_MEMORY } from './engine.ts';
import type { SqlModule } from '../sql/index.ts';
import type { ByteSource } from '../columns/byte-source.ts';
import { encodeRequest, ReplyStream, type Reply, type Request } from './codec.ts';
import { instantiate, MEMORY_BYTES_MAX, type WasmInstance } from './glue.ts';
import { LentFiles } from './lent-files.ts';
import { endOf, readSqlError } from './sql-error.ts';
import { concat } from './wire.ts';
import { messageOf } from '../model/message.ts';
import { refusalOf } from './refusal.ts';

/** The check that trace_processor 55 fails on SQL that ends too early, instead of answering with an error. */
const INCOMPLETE_SQL_CHECK = 'rewritten_offset <= rewritten_sql.size()';

/** Where the engine finds the lent database while it opens it; SQL can open nothing, here or elsewhere. */
const DATABASE_PATH = '/lent/facts';
/**
 * Nothing writes to it: there are no locks. Pages stay in the cache from query to query, at most 64 MiB. A join that goes from
 * row to row makes each page again and again where the pages of its tables do not fit.
 */
const ATTACH = `ATTACH '${DATABASE_PATH}' AS facts; PRAGMA facts.cache_size = -65536`;
const DETACH = 'DETACH facts';

/** Where the engine's replies arrive. */
interface Inbox {
  readonly slices: Uint8Array[];
  /** Called after each slice; must not throw. */
  onSlice: (() => void) | null;
}

/** One trace_processor in this thread: calls block until they are done, and throw an {@link EngineError}. */
export class TraceProcessor {
  readonly #wasm: WasmInstance;
  readonly #inbox: Inbox;
  readonly #files: LentFiles;
  readonly #stream = new ReplyStream();
  #seq = 0;
  #crash: EngineError | null = null;
  #database: ByteSource | null = null;

  private constructor(wasm: WasmInstance, inbox: Inbox, files: LentFiles) {
    this.#wasm = wasm;
    this.#inbox = inbox;
    this.#files = files;
  }

  /** Starts an engine without a trace, from the compiled `trace_processor.wasm`. */
  static async start(module: WebAssembly.Module, memoryBytesMax = MEMORY_BYTES_MAX): Promise<TraceProcessor> {
    const inbox: Inbox = { slices: [], onSlice: null };
    // Nothing here throws: an error thrown through the engine's frames would leave it in an undefined state.
    const take = (slice: Uint8Array) => {
      inbox.slices.push(slice.slice());
      inbox.onSlice?.();
    };
    const files = new LentFiles();
    return new TraceProcessor(await instantiate(module, take, memoryBytesMax, files), inbox, files);
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

  /**
   * Makes the tables of a SQLite database known to SQL, by their names alone or with `facts.` before them. They can be read
   * and nothing else. Holds for later traces too, until another database takes its place; null for none. Throws where
   * SQLite does not take it for a database.
   */
  lend(database: ByteSource | null): void {
    if (this.#database !== null) this.#takeBack(this.#database);
    this.#database = database;
    this.#attach();
  }

  #takeBack(database: ByteSource): void {
    try {
      if (this.#files.isOpen(database)) this.#run(DETACH);
    } catch {
      // Within a transaction that SQL left open: the database goes with the trace.
    }
    this.#files.takeBack(database);
  }

  /** Attaches the lent database where it is not: a new trace and a DETACH close it. */
  #attach(): void {
    const database = this.#database;
    if (database === null || this.#files.isOpen(database)) return;
    this.#files.whileLent(DATABASE_PATH, database, () => {
      this.#run(ATTACH);
      // SQLite opens it only when it reads it: a database that it does not take shows now.
      this.#run('SELECT count(*) FROM facts.sqlite_schema');
    });
  }

  /**
   * Runs SQL; the rows are the last statement's, as `QueryResult` messages joined. With `onPart`, which must not throw,
   * messages are given to it while the engine works, and what is returned are the last ones alone.
   */
  query(sql: string, onPart?: (bytes: Uint8Array<ArrayBuffer>) => void): Uint8Array<ArrayBuffer> {
    const refusal = refusalOf(sql);
    if (refusal !== null) throw refusal;
    this.#attach();
    return this.#run(sql, onPart);
  }

  #run(sql: string, onPart?: (bytes: Uint8Array<ArrayBuffer>) => void): Uint8Array<ArrayBuffer> {
    this.#files.fault = null;
    const given: Reply[] = [];
    const damages: unknown[] = [];
    if (onPart) {
      this.#inbox.onSlice = () => {
        try {
          for (const reply of damages.length === 0 ? this.#takeReplies() : []) {
            if (reply.error === null && reply.result !== null) onPart(reply.result.slice());
            else given.push(reply);
          }
        } catch (error) {
          damages.push(error);
        }
      };
    }
    const incomplete = () => {
      if (!this.#failedCheck(INCOMPLETE_SQL_CHECK)) return null;
      return new EngineError('sql', 'incomplete SQL statement', endOf(sql));
    };
    const replies = this.#ask({ kind: 'query', sql }, incomplete, given);
    for (const damage of damages) throw damage;
    for (const { error } of replies) {
      if (error === null) continue;
      const { fault } = this.#files;
      throw fault === null ? readSqlError(error) : new EngineError('load', messageOf(fault));
    }
    return concat(replies.map((reply) => reply.result ?? new Uint8Array(0)));
  }

  #expect(kind: 'load' | 'sql', request: Request): void {
    for (const { error } of this.#ask(request, () => null)) {
      if (error !== null) throw new EngineError(kind, error);
    }
  }

  /** One request and its replies. `cure` gives the error that a trap stands for, if the engine survives it. */
  #ask(request: Request, cure: () => EngineError | null, given: readonly Reply[] = []): Reply[] {
    if (this.#crash !== null) throw this.#crash;
    try {
      this.#wasm.send(encodeRequest(this.#seq++, request));
    } catch (trap) {
      const cured = this.#wasm.outOfMemory() ? null : cure();
      this.#inbox.slices.length = 0;
      if (cured === null) throw this.#crashed(messageOf(trap));
      this.#wasm.restoreStack();
      throw cured;
    } finally {
      this.#inbox.onSlice = null;
    }
    const replies = [...given, ...this.#takeReplies()];
    const fatal = replies.find((reply) => reply.fatal);
    if (fatal !== undefined) throw this.#crashed(fatal.error ?? 'it takes no more requests');
    return replies;
  }

  #takeReplies(): Reply[] {
    return this.#inbox.slices.splice(0).flatMap((slice) => this.#stream.push(slice));
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
    const message = this.#wasm.outOfMemory()
      ? `${OUT_OF_MEMORY} (it holds ${usedGib} GiB)`
      : `trace_processor crashed: ${this.#lastLogged('PERFETTO_') ?? reason}`;
    this.#crash = new EngineError('not_asked', message);
    return new EngineError('crashed', message);
  }
}
