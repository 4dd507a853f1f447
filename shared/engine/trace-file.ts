import { open } from 'node:fs/promises';
import { EngineError } from './engine.ts';
import { words, type TraceSource } from './load.ts';

const CHUNK_BYTES = 1024 * 1024;

/** The Perfetto trace at `path`, and what closes it. Rejects with an {@link EngineError} of kind `load`. */
export async function openTraceFile(path: string): Promise<TraceSource & { close(): Promise<void> }> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new EngineError('load', `${path}: ${words(error)}`);
  });
  const { size: sizeBytes } = await file.stat();
  return {
    name: path,
    sizeBytes,
    async *chunks() {
      const chunk = new Uint8Array(CHUNK_BYTES);
      for (;;) {
        const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
        if (bytesRead === 0) return;
        yield chunk.subarray(0, bytesRead);
      }
    },
    close: () => file.close(),
  };
}
