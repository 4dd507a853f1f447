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
  // One memory for all of the file: new memory takes about as long as to read into it.
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let bytes = 0;
  try {
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      options.signal?.throwIfAborted();
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, bytesRead));
      bytes += bytesRead;
      options.onRead?.(bytes);
    }
  } finally {
    await file.close();
  }
}
