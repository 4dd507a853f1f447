/** Loads models of views in a thread of the host, beside the files of the trace, and packs them for the page. */
import { parentPort, type Transferable } from 'node:worker_threads';
import { packModel } from './pack.ts';
import type { ToWorker } from './protocol.ts';
import { serveModels } from './serve-models.ts';

if (parentPort === null) throw new Error('this is the program of a worker thread');
const port = parentPort;
const take = serveModels((message) => {
  const packed =
    message.kind === 'model' && message.model instanceof Uint8Array ? [message.model.buffer] : [];
  port.postMessage(message, packed as Transferable[]);
}, packModel);
port.on('message', (message: ToWorker) => take(message));
