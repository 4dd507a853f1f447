import { Worker } from 'node:worker_threads';
import { ModelLoader } from './loader.ts';
import type { FromWorker } from './protocol.ts';

/**
 * Loads models in a thread of this process, beside the files of the trace. They come packed (`packModel`).
 * @param workerPath the bundle of `node-worker.ts`
 */
export function nodeModels(workerPath: string): ModelLoader<Uint8Array> {
  return new ModelLoader(() => {
    const worker = new Worker(workerPath);
    // It waits for messages: it is no reason for the process to go on.
    worker.unref();
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      onMessage: (listener) => {
        worker.on('message', (message: FromWorker) => listener(message));
      },
      onFailure: (listener) => {
        worker.once('error', (error: Error) => listener(error.message));
        worker.once('exit', (code) => listener(`its thread ended with code ${code}`));
      },
      end: () => void worker.terminate(),
    };
  });
}
