/** Loads models of views in a worker of the page, so that the page answers meanwhile however many rows they are made of. */
import { compare, type ComparingQuestion } from './comparing.ts';
import { COMPARING, type ToWorker } from './protocol.ts';
import { serveModels } from './serve-models.ts';

const take = serveModels(
  (message) => postMessage(message),
  (model) => model,
  { [COMPARING]: (question) => compare(question as ComparingQuestion) },
);
addEventListener('message', ({ data }: MessageEvent<ToWorker>) => take(data));
