import { Worker } from 'node:worker_threads';
import { threadPort, type Port } from '../../shared/border/index.ts';
import { ModelLoader } from './loader.ts';
import type { ModelSource } from '../host/model-source/index.ts';
import type { ModelPrograms } from '../host/trace-models.ts';

/**
 * Makes models in threads of this process, which has the files of the trace. They come packed (`packModel`).
 * @param workerPath the bundle of `node-worker.ts`
 * @param wasmPath the engine that they ask
 */
export function nodeModels(workerPath: string, wasmPath: string): ModelPrograms {
  const start = () => new ModelLoader<Uint8Array>(() => startThread(workerPath));
  return { start, programs: [workerPath, wasmPath] };
}

/**
 * Makes the models of all traces in one thread. Of traces that are opened one after the other, what the thread has compiled serves the
 * next one; two that are open at a time wait for each other. The thread is there until `end`.
 */
export function inOneThread({ start, programs }: ModelPrograms): ModelPrograms & { end(): void } {
  let shared: ReturnType<ModelPrograms['start']> | null = null;
  return {
    start: () => {
      const loader = (shared ??= start());
      const sources: ModelSource<Uint8Array>[] = [];
      return {
        begin: () => loader.begin(),
        connect(...asked) {
          const source = loader.connect(...asked);
          sources.push(source);
          return source;
        },
        end() {
          for (const source of sources) source.end();
        },
      };
    },
    programs,
    end: () => shared?.end(),
  };
}

function startThread(path: string): Port {
  const worker = new Worker(path);
  // It waits for messages: it is no reason for the process to go on.
  worker.unref();
  return threadPort(worker);
}
