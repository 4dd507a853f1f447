/**
 * The script of an engine's worker: a Node worker thread, a Node child process or an Electron utility process. Bundle it
 * as one file.
 * It speaks the messages of `protocol.ts`, and answers calls one after another.
 */
import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { EngineError, type LoadReport } from './engine.ts';
import { EtwTables } from './etw-tables.ts';
import { openColumns, type LentColumns } from './lent-columns.ts';
import { loadNone, loadTrace } from './load.ts';
import { TraceProcessor } from './processor.ts';
import type { ErrorData, FromWorker, ToWorker } from './protocol.ts';
import { messageOf } from '../model/message.ts';

/** What an Electron utility process has in place of a worker thread's `parentPort`. */
interface UtilityPort {
  on(event: 'message', listener: (event: { data: ToWorker }) => void): void;
  postMessage(message: FromWorker): void;
}

const utilityPort = (process as unknown as { parentPort?: UtilityPort }).parentPort;

function post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  if (parentPort !== null) parentPort.postMessage(message, transfer);
  else if (utilityPort !== undefined) utilityPort.postMessage(message);
  else process.send?.(message);
}

let processor: Promise<TraceProcessor> = Promise.reject(new EngineError('crashed', 'no engine was started'));
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
    return await TraceProcessor.start(await WebAssembly.compile(await readFile(wasmPath)), memoryBytesMax);
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
      if (message.path !== null) tables = new EtwTables(await processor);
      post({ kind: 'loaded', id, report });
    } else {
      const onPart = (bytes: Uint8Array<ArrayBuffer>) => post({ kind: 'part', id, bytes }, [bytes.buffer]);
      const asked = tables ?? (await processor);
      const bytes = asked.query(message.sql, message.inParts ? onPart : undefined);
      post({ kind: 'rows', id, bytes }, [bytes.buffer]);
    }
  } catch (error) {
    post({ kind: 'failed', id, error: asData(error) });
  }
}

async function load(
  processor: TraceProcessor,
  { id, path, columns: files }: Extract<ToWorker, { call: 'load' }>,
): Promise<LoadReport> {
  processor.lend(null);
  columns?.close();
  columns = null;
  const onProgress = (fraction: number) => post({ kind: 'progress', id, fraction });
  const report = path === null ? loadNone(processor) : await loadTrace(processor, path, onProgress);
  if (files.length > 0) {
    columns = openColumns(files);
    processor.lend(columns.database);
  }
  return report;
}

function asData(error: unknown): ErrorData {
  if (error instanceof EngineError) {
    return { kind: error.kind, message: error.message, place: error.place };
  }
  return { kind: 'crashed', message: messageOf(error), place: null };
}

parentPort?.on('message', receive);
utilityPort?.on('message', (event) => receive(event.data));
if (parentPort === null && utilityPort === undefined) {
  process.on('message', (message) => receive(message as ToWorker));
  // Whoever asked is gone.
  process.on('disconnect', () => process.exit());
}
