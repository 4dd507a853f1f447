/**
 * The script of an engine's worker: a Node worker thread, a Node child process or an Electron utility process. Bundle it
 * as one file.
 */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { messagePort, serve, type Port } from '../border/index.ts';
import { openFileSource } from '../columns/file-source.ts';
import { lendColumns } from './lent-columns.ts';
import { ENGINE_SERVING, engineHandlers } from './serve-calls.ts';
import type { EngineCalls, EngineWorkerData } from './protocol.ts';
import { startWithQuickCode } from './quick-code.ts';
import { openTraceFile } from './trace-file.ts';

/** What an Electron utility process has in place of a worker thread's `parentPort`. */
interface UtilityPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

/** The port to whoever started this worker, which ends with it. */
function ownPort(): Port {
  if (parentPort !== null) return messagePort(parentPort);
  const { parentPort: utility } = process as unknown as { readonly parentPort?: UtilityPort };
  const rest = { onClose: () => undefined, close: () => process.exit() };
  if (utility !== undefined)
    return {
      ...rest,
      send: (message) => utility.postMessage(message),
      onMessage: (listener) => utility.on('message', ({ data }) => listener(data)),
    };
  // Whoever asked is gone.
  process.on('disconnect', () => process.exit());
  return {
    ...rest,
    send: (message) => process.send?.(message),
    onMessage: (listener) => process.on('message', listener),
  };
}

startWithQuickCode();

/** Null in a process. */
const { code } = (workerData ?? {}) as EngineWorkerData;

serve<EngineCalls>(
  ownPort(),
  engineHandlers({
    compile: async (path) => code ?? WebAssembly.compile(await readFile(path)),
    openTrace: openTraceFile,
    openColumns: (files, isBesideTrace) => lendColumns(files, openFileSource, isBesideTrace),
  }),
  ENGINE_SERVING,
);
