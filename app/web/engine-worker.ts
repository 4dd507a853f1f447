/** The worker of an engine in a page: it reads the files that it was given, and trace_processor by its address. */
import { EngineError } from '../../shared/engine/engine.ts';
import { lendColumns } from '../../shared/engine/lent-columns.ts';
import type { ToWorker } from '../../shared/engine/protocol.ts';
import { serveCalls } from '../../shared/engine/serve-calls.ts';
import { blobSource } from './blob-source.ts';
import type { GivenFile } from './job.ts';

const CHUNK_BYTES = 1 << 20;

/** The files, by path. */
const given = new Map<string, Blob>();

function blobOf(path: string): Blob {
  const blob = given.get(path);
  if (blob === undefined) throw new EngineError('load', `${path}: was not given to the engine`);
  return blob;
}

const receive = serveCalls({
  post: (message, transfer = []) => self.postMessage(message, { transfer }),
  readModule: async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer()),
  openTrace(path) {
    const blob = blobOf(path);
    return Promise.resolve({
      name: 'the trace',
      sizeBytes: blob.size,
      async *chunks() {
        for (let at = 0; at < blob.size; at += CHUNK_BYTES)
          yield new Uint8Array(await blob.slice(at, at + CHUNK_BYTES).arrayBuffer());
      },
      close: () => undefined,
    });
  },
  openColumns: (files) => lendColumns(files, (path) => blobSource(path, blobOf(path))),
});

/** Before it is asked to load files it is given them. */
self.onmessage = ({ data }: MessageEvent<ToWorker | readonly GivenFile[]>) => {
  if ('call' in data) receive(data);
  else for (const { path, blob } of data) given.set(path, blob);
};
