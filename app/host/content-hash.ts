import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { TraceId } from './api.ts';

const CHUNK_BYTES = 1 << 20;

/** The SHA-256 of a file, in hex. `onRead` hears how many bytes have been read so far. */
export async function contentHash(
  path: string,
  options: { readonly signal?: AbortSignal; readonly onRead?: (bytes: number) => void } = {},
): Promise<TraceId> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    options.signal?.throwIfAborted();
    hash.update(chunk);
    bytes += chunk.length;
    options.onRead?.(bytes);
  }
  return hash.digest('hex');
}
