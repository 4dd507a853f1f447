/** Loads models of views in a worker of the page, so that the page answers meanwhile however many rows they are made of. */
import { pagePort } from '../../shared/border/index.ts';
import { COMPARING } from '../host/model-source/index.ts';
import { compare, type ComparingQuestion } from './comparing.ts';
import { serveModels } from './serve-models.ts';

serveModels(pagePort(), {
  write: (model) => model,
  // Views keep parts of their models.
  handsOver: false,
  own: { [COMPARING]: (question) => compare(question as ComparingQuestion) },
});
