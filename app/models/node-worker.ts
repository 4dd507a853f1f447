/** Loads models of views in a thread of the host, which has the files of the trace. Packs the models for the page. */
import { parentPort } from 'node:worker_threads';
import { messagePort } from '../../shared/border/index.ts';
import { openArrowFolder } from '../../shared/tables/arrow-folder.ts';
import { packModel } from '../host/model-source/pack.ts';
import { serveModels } from './serve-models.ts';

if (parentPort === null) throw new Error('this is the program of a worker thread');
serveModels(messagePort(parentPort), { write: packModel, handsOver: true, openFolder: openArrowFolder });
