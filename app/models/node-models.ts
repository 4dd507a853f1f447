import { Worker } from 'node:worker_threads';
import type { HostOptions } from '../host/create-host.ts';
import { ModelLoader } from './loader.ts';
import type { FromWorker } from './protocol.ts';

/**
 * Makes models in threads of this process, beside the files of the trace. They come packed (`packModel`).
 * @param workerPath the bundle of `node-worker.ts`
 * @param wasmPath the engine that they ask
 */
export function nodeModels(workerPath: string, wasmPath: string): NonNullable<HostOptions['models']> {
  const start = () => new ModelLoader<Uint8Array>(() => startThread(workerPath));
  return { start, programs: [workerPath, wasmPath] };
}

function startThread(path: string) {
  const worker = new Worker(path);
  // It waits for messages: it is no reason for the process to go on.
  worker.unref();
  return {
    post: (message: object, transfer: ArrayBuffer[]) => worker.postMessage(message, transfer),
    onMessage: (listener: (message: FromWorker) => void) => {
      worker.on('message', listener);
    },
    onFailure: (listener: (message: string) => void) => {
      worker.once('error', (error: Error) => listener(error.message));
      worker.once('exit', (code) => listener(`its thread ended with code ${code}`));
    },
    end: () => void worker.terminate(),
  };
}
