import { Worker } from 'node:worker_threads';
import { connectEngine } from './client.ts';
import type { Engine } from './engine.ts';

/** Where the parts of an engine lie. */
export interface NodeEngineOptions {
  /** The bundle of `worker.ts`. */
  readonly workerPath: string;
  /** `trace_processor.wasm`. */
  readonly wasmPath: string;
}

/** An engine in a worker thread of this process. It keeps the process alive until it is ended. */
export function startNodeEngine({ workerPath, wasmPath }: NodeEngineOptions): Engine {
  const worker = new Worker(workerPath);
  return connectEngine(
    {
      post: (message) => worker.postMessage(message),
      onMessage: (listener) => worker.on('message', listener),
      onExit(listener) {
        worker.once('error', (error: Error) => listener(error.message));
        worker.once('exit', (code) => listener(`its thread ended with code ${code}`));
      },
      async end() {
        await worker.terminate();
      },
    },
    wasmPath,
  );
}
