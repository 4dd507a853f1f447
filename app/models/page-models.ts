import { ModelLoader } from './loader.ts';
import type { FromWorker } from './protocol.ts';

/** Loads models in a worker of the page. */
export function pageModels(): ModelLoader {
  return new ModelLoader(() => {
    const worker = new Worker(new URL('./page-worker.ts', import.meta.url), { type: 'module' });
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      onMessage: (listener) => {
        worker.onmessage = ({ data }: MessageEvent<FromWorker>) => listener(data);
      },
      onFailure: (listener) => {
        worker.onerror = ({ message }) => listener(message);
      },
      end: () => worker.terminate(),
    };
  });
}
