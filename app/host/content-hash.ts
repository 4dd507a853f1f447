import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { TraceId } from './api.ts';
import { refuseFile } from './stat-file.ts';

const CHUNK_BYTES = 1 << 20;

/** Cancel and progress of the reading of a file. */
export interface HashOptions {
  readonly signal?: AbortSignal;
  /** Hears how many bytes have been read so far. */
  readonly onRead?: (bytes: number) => void;
}

/** The SHA-256 of a file, in hex. Rejects with an `OpenError` where the file cannot be opened. */
export async function contentHash(path: string, options: HashOptions = {}): Promise<TraceId> {
  const file = await open(path).catch((error: unknown) => refuseFile(path, error));
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of file.createReadStream({ highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    options.signal?.throwIfAborted();
    hash.update(chunk);
    bytes += chunk.length;
    options.onRead?.(bytes);
  }
  return hash.digest('hex');
}
