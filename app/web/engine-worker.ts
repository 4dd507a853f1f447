/** The worker of an engine in a page: traces come by addresses of blobs, trace_processor by that of a file. */
import { EngineError } from '../../shared/engine/engine.ts';
import type { ToWorker } from '../../shared/engine/protocol.ts';
import { serveCalls } from '../../shared/engine/serve-calls.ts';

const CHUNK_BYTES = 1 << 20;

const receive = serveCalls({
  post: (message, transfer = []) => self.postMessage(message, { transfer }),
  readModule: async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer()),
  async openTrace(url) {
    const blob = await (await fetch(url)).blob();
    return {
      name: 'the trace',
      sizeBytes: blob.size,
      async *chunks() {
        for (let at = 0; at < blob.size; at += CHUNK_BYTES)
          yield new Uint8Array(await blob.slice(at, at + CHUNK_BYTES).arrayBuffer());
      },
      close: () => undefined,
    };
  },
  openColumns() {
    throw new EngineError('load', 'columns are not lent to an engine in a page');
  },
});

self.onmessage = ({ data }: MessageEvent<ToWorker>) => receive(data);
