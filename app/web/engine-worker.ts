/** The worker of an engine in a page: it reads the files that it was given, and trace_processor by its address. */
import { pagePort, serve } from '../../shared/border/index.ts';
import { EngineError } from '../../shared/engine/engine.ts';
import { lendColumns } from '../../shared/engine/lent-columns.ts';
import { ENGINE_SERVING, engineHandlers } from '../../shared/engine/serve-calls.ts';
import { blobSource } from './blob-source.ts';
import type { PageEngineCalls } from './workers.ts';

const CHUNK_BYTES = 1 << 20;

/** The files, by path. */
const given = new Map<string, Blob>();

function blobOf(path: string): Blob {
  const blob = given.get(path);
  if (blob === undefined) throw new EngineError('load', `${path}: was not given to the engine`);
  return blob;
}

const handlers = engineHandlers({
  compile: async (url) => WebAssembly.compile(await (await fetch(url)).arrayBuffer()),
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
  openColumns: (files, isBesideTrace) =>
    lendColumns(files, (path) => blobSource(path, blobOf(path)), isBesideTrace),
});

serve<PageEngineCalls>(
  pagePort(),
  {
    ...handlers,
    give(files) {
      for (const { path, blob } of files) given.set(path, blob);
    },
  },
  ENGINE_SERVING,
);
