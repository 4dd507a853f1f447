import type { Handlers, ServeOptions } from '../border/index.ts';
import { EngineError, type ColumnsFile, type LoadReport } from './engine.ts';
import { EtwTables } from './etw-tables.ts';
import type { LentColumns } from './lent-columns.ts';
import { loadNone, loadTrace, type TraceSource } from './load.ts';
import { TraceProcessor } from './processor.ts';
import { ENGINE_ERROR, type EngineCalls } from './protocol.ts';
import { messageOf } from '../model/message.ts';

/** What the worker of an engine needs of what it runs in. */
export interface WorkerSystem {
  /** The code of trace_processor. */
  compile(path: string): Promise<WebAssembly.Module>;
  /** The trace that is to be loaded. */
  openTrace(path: string): Promise<TraceSource & { close(): Promise<void> | void }>;
  openColumns(files: readonly ColumnsFile[], isBesideTrace: boolean): LentColumns;
}

/** How the worker of an engine answers: one call after another. */
export const ENGINE_SERVING = {
  errors: [ENGINE_ERROR],
  handsOver: true,
  inTurn: true,
} satisfies ServeOptions<EngineCalls>;

/** What answers the calls of an engine. */
export function engineHandlers(system: WorkerSystem): Handlers<EngineCalls> {
  let processor: Promise<TraceProcessor> = Promise.reject(
    new EngineError('crashed', 'no engine was started'),
  );
  processor.catch(() => undefined);
  let tables: EtwTables | null = null;
  let columns: LentColumns | null = null;

  async function start({ wasmPath, memoryBytesMax }: EngineCalls['start']['given']): Promise<TraceProcessor> {
    try {
      return await TraceProcessor.start(await system.compile(wasmPath), memoryBytesMax);
    } catch (error) {
      throw new EngineError('crashed', `cannot start trace_processor from ${wasmPath}: ${messageOf(error)}`);
    }
  }

  async function load(
    processor: TraceProcessor,
    { path, columns: files }: EngineCalls['load']['given'],
    onProgress: (fraction: number) => void,
  ): Promise<LoadReport> {
    processor.lend(null);
    columns?.close();
    columns = null;
    const report = path === null ? loadNone(processor) : await loadPath(processor, path, onProgress);
    if (files.length > 0) {
      columns = system.openColumns(files, path !== null);
      processor.lend(columns.database);
    }
    return report;
  }

  async function loadPath(
    processor: TraceProcessor,
    path: string,
    onProgress: (fraction: number) => void,
  ): Promise<LoadReport> {
    const source = await system.openTrace(path);
    try {
      return await loadTrace(processor, source, onProgress);
    } finally {
      await source.close();
    }
  }

  return {
    start(given) {
      processor = start(given);
      processor.catch(() => undefined);
    },
    load: (given, { note }) =>
      inWords(async () => {
        tables = null;
        const report = await load(await processor, given, note);
        if (given.path !== null) tables = new EtwTables(await processor, given.columns.some(isScheduling));
        return report;
      }),
    giveReasons(codes) {
      columns?.giveReasons(codes);
    },
    query: ({ sql, inParts }, { note }) =>
      inWords(async () => (tables ?? (await processor)).query(sql, inParts ? note : undefined)),
  };
}

/** Whether a file holds what else a module of `etw` builds from the trace. */
function isScheduling({ table }: ColumnsFile): boolean {
  return table === 'etw_run';
}

/** Does something whose errors are those of an engine. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof EngineError ? error : new EngineError('crashed', messageOf(error));
  }
}
