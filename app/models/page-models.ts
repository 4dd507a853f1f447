import { workerPort } from '../../shared/border/index.ts';
import { ModelLoader } from './loader.ts';

/** Loads models in a worker of the page. */
export function pageModels(): ModelLoader {
  return new ModelLoader(() =>
    workerPort(new Worker(new URL('./page-worker.ts', import.meta.url), { type: 'module' })),
  );
}
