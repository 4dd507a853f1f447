/** Loads models of views in a worker of the page, so that the page answers meanwhile however many rows they are made of. */
import type { ToWorker } from './protocol.ts';
import { serveModels } from './serve-models.ts';

const take = serveModels(
  (message) => postMessage(message),
  (model) => model,
);
addEventListener('message', ({ data }: MessageEvent<ToWorker>) => take(data));
