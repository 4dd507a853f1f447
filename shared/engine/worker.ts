/**
 * The script of an engine's worker: a Node worker thread, a Node child process or an Electron utility process. Bundle it
 * as one file.
 */
import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { openFileSource } from '../columns/file-source.ts';
import { lendColumns } from './lent-columns.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { serveCalls } from './serve-calls.ts';
import { openTraceFile } from './trace-file.ts';

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

const receive = serveCalls({
  post,
  readModule: (path) => readFile(path),
  openTrace: openTraceFile,
  openColumns: (files) => lendColumns(files, openFileSource),
});

parentPort?.on('message', receive);
utilityPort?.on('message', (event) => receive(event.data));
if (parentPort === null && utilityPort === undefined) {
  process.on('message', (message) => receive(message as ToWorker));
  // Whoever asked is gone.
  process.on('disconnect', () => process.exit());
}
