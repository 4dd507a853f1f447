import { EngineError, type ColumnsFile, type LoadReport } from './engine.ts';
import { EtwTables } from './etw-tables.ts';
import type { LentColumns } from './lent-columns.ts';
import { loadNone, loadTrace, type TraceSource } from './load.ts';
import { TraceProcessor } from './processor.ts';
import type { ErrorData, FromWorker, ToWorker } from './protocol.ts';
import { messageOf } from '../model/message.ts';

/** What the worker of an engine needs of what it runs in. */
export interface WorkerSystem {
  post(message: FromWorker, transfer?: ArrayBuffer[]): void;
  /** The bytes of trace_processor. */
  readModule(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** The trace that is to be loaded. */
  openTrace(path: string): Promise<TraceSource & { close(): Promise<void> | void }>;
  openColumns(files: readonly ColumnsFile[]): LentColumns;
}

/** What takes the messages of `protocol.ts`, and answers calls one after another. */
export function serveCalls(system: WorkerSystem): (message: ToWorker) => void {
  let processor: Promise<TraceProcessor> = Promise.reject(
    new EngineError('crashed', 'no engine was started'),
  );
  processor.catch(() => undefined);
  let tables: EtwTables | null = null;
  let columns: LentColumns | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function receive(message: ToWorker): void {
    if (message.call === 'start') {
      processor = start(message.wasmPath, message.memoryBytesMax);
      processor.catch(() => undefined);
      return;
    }
    last = last.then(() => answer(message));
  }

  async function start(wasmPath: string, memoryBytesMax?: number): Promise<TraceProcessor> {
    try {
      return await TraceProcessor.start(
        await WebAssembly.compile(await system.readModule(wasmPath)),
        memoryBytesMax,
      );
    } catch (error) {
      throw new EngineError(
        'crashed',
        `cannot start trace_processor from ${wasmPath}: ${asData(error).message}`,
      );
    }
  }

  async function answer(message: Exclude<ToWorker, { call: 'start' }>): Promise<void> {
    const { id } = message;
    try {
      if (message.call === 'load') {
        tables = null;
        const report = await load(await processor, message);
        if (message.path !== null)
          tables = new EtwTables(await processor, message.columns.some(isScheduling));
        system.post({ kind: 'loaded', id, report });
      } else {
        const onPart = (bytes: Uint8Array<ArrayBuffer>) =>
          system.post({ kind: 'part', id, bytes }, [bytes.buffer]);
        const asked = tables ?? (await processor);
        const bytes = asked.query(message.sql, message.inParts ? onPart : undefined);
        system.post({ kind: 'rows', id, bytes }, [bytes.buffer]);
      }
    } catch (error) {
      system.post({ kind: 'failed', id, error: asData(error) });
    }
  }

  async function load(
    processor: TraceProcessor,
    { id, path, columns: files }: Extract<ToWorker, { call: 'load' }>,
  ): Promise<LoadReport> {
    processor.lend(null);
    columns?.close();
    columns = null;
    const onProgress = (fraction: number) => system.post({ kind: 'progress', id, fraction });
    const report = path === null ? loadNone(processor) : await loadPath(processor, path, onProgress);
    if (files.length > 0) {
      columns = system.openColumns(files);
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

  return receive;
}

/** Whether a file holds what else a module of `etw` builds from the trace. */
function isScheduling({ table }: ColumnsFile): boolean {
  return table === 'etw_run';
}

function asData(error: unknown): ErrorData {
  if (error instanceof EngineError) {
    return { kind: error.kind, message: error.message, place: error.place };
  }
  return { kind: 'crashed', message: messageOf(error), place: null };
}
