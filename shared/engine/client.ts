import { connect, type Asker, type ConnectOptions, type Port } from '../border/index.ts';
import { EngineError, type Engine } from './engine.ts';
import { ENGINE_ERROR, type EngineCalls } from './protocol.ts';

/** So much of a query is told with the end of the engine, in characters. */
const LONGEST_TOLD = 300;

/** How the worker of an engine is asked. Its calls are answered in their order: when it is gone, the oldest was being worked on. */
export const ENGINE_ASKING = {
  errors: [ENGINE_ERROR],
  gone: (reason, isFirst) =>
    new EngineError(isFirst ? 'crashed' : 'not_asked', `the engine is gone: ${reason}`),
} satisfies ConnectOptions<EngineCalls>;

/**
 * The engine behind `port`, whose worker runs the trace_processor at `wasmPath`, with at most `memoryBytesMax` of memory
 * (absent: all that WebAssembly can have).
 */
export function connectEngine(port: Port, wasmPath: string, memoryBytesMax?: number): Engine {
  return engineOf(connect<EngineCalls>(port, ENGINE_ASKING), port, wasmPath, memoryBytesMax);
}

/** The engine that `worker` asks over `port`, as {@link connectEngine} gives it. */
export function engineOf(
  worker: Asker<EngineCalls>,
  port: Port,
  wasmPath: string,
  memoryBytesMax?: number,
): Engine {
  worker.tell('start', { wasmPath, memoryBytesMax });

  async function query(sql: string, onNote?: (part: Uint8Array) => void): Promise<Uint8Array> {
    try {
      return await worker.call('query', { sql, inParts: onNote !== undefined }, { onNote });
    } catch (error) {
      if (error instanceof EngineError && error.kind === 'crashed') throw crashedIn(sql, error.message);
      throw error;
    }
  }

  return {
    load: (path, onNote, columns = []) => worker.call('load', { path, columns }, { onNote }),
    query: (sql) => query(sql),
    async queryInParts(sql, onPart) {
      onPart(await query(sql, onPart));
    },
    giveReasons: (codes) => worker.call('giveReasons', codes),
    async end() {
      worker.end(new EngineError('ended', 'the engine was ended'));
      await port.close();
    },
  };
}

/** Why the engine is gone, and which query it was at. */
function crashedIn(sql: string, text: string): EngineError {
  const line = sql.trim().replace(/\s+/g, ' ');
  const told = line.length > LONGEST_TOLD ? `${line.slice(0, LONGEST_TOLD)}…` : line;
  return new EngineError('crashed', `in the query \`${told}\`: ${text}`);
}
