import { EngineError, type Engine, type LoadReport } from './engine.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

/** A way to the worker that runs `worker.ts`: a worker thread, a utility process. Messages keep their order. */
export interface EnginePort {
  /** Sends plain data that structured cloning can carry. */
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when the worker is gone, with why in words. */
  onExit(listener: (reason: string) => void): void;
  /** Ends the worker at once, and resolves when it is gone. */
  end(): Promise<void>;
}

/** So much of a query is told with the end of the engine, in characters. */
const LONGEST_TOLD = 300;

interface Pending {
  /** What is asked; null for a trace to load. */
  readonly sql: string | null;
  resolve(value: never): void;
  reject(error: EngineError): void;
  onProgress(fraction: number): void;
  onPart(bytes: Uint8Array): void;
}

const nothing = () => undefined;

/**
 * The engine behind `port`, whose worker runs the trace_processor at `wasmPath`, with at most `memoryBytesMax` of memory
 * (absent: all that WebAssembly can have).
 */
export function connectEngine(port: EnginePort, wasmPath: string, memoryBytesMax?: number): Engine {
  const pending = new Map<number, Pending>();
  let nextId = 0;
  let gone: EngineError | null = null;

  function fail(error: EngineError): void {
    gone ??= error;
    for (const call of pending.values()) call.reject(gone);
    pending.clear();
  }

  function call<T>(
    make: (id: number) => ToWorker,
    {
      sql = null,
      onProgress = nothing,
      onPart = nothing,
    }: Partial<Pick<Pending, 'sql' | 'onProgress' | 'onPart'>> = {},
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (gone !== null) {
        reject(gone);
        return;
      }
      const id = nextId++;
      pending.set(id, { sql, resolve, reject, onProgress, onPart });
      port.post(make(id));
    });
  }

  port.onMessage((data) => {
    const message = data as FromWorker;
    const waiting = pending.get(message.id);
    if (waiting === undefined) return;
    if (message.kind === 'progress') {
      waiting.onProgress(message.fraction);
      return;
    }
    if (message.kind === 'part') {
      waiting.onPart(message.bytes);
      return;
    }
    pending.delete(message.id);
    if (message.kind === 'failed') {
      const { kind, message: text, place } = message.error;
      waiting.reject(kind === 'crashed' ? crashed(waiting, text) : new EngineError(kind, text, place));
    } else {
      waiting.resolve((message.kind === 'loaded' ? message.report : message.bytes) as never);
    }
  });
  port.onExit((reason) => {
    const text = `the engine is gone: ${reason}`;
    // Calls are answered in their order: the first one was being worked on.
    const [first] = pending;
    if (first !== undefined) {
      const [id, working] = first;
      pending.delete(id);
      working.reject(crashed(working, text));
    }
    fail(new EngineError('not_asked', text));
  });
  port.post({ call: 'start', wasmPath, memoryBytesMax } satisfies ToWorker);

  return {
    load: (path, onProgress, columns = []) =>
      call<LoadReport>((id) => ({ call: 'load', id, path, columns }), { onProgress }),
    query: (sql) => call<Uint8Array>((id) => ({ call: 'query', id, sql, inParts: false }), { sql }),
    async queryInParts(sql, onPart) {
      onPart(await call<Uint8Array>((id) => ({ call: 'query', id, sql, inParts: true }), { sql, onPart }));
    },
    async end() {
      fail(new EngineError('ended', 'the engine was ended'));
      await port.end();
    },
  };
}

/** Why the engine is gone, and which query it was at. */
function crashed({ sql }: Pending, text: string): EngineError {
  if (sql === null) return new EngineError('crashed', text);
  const line = sql.trim().replace(/\s+/g, ' ');
  const told = line.length > LONGEST_TOLD ? `${line.slice(0, LONGEST_TOLD)}…` : line;
  return new EngineError('crashed', `in the query \`${told}\`: ${text}`);
}
