import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { TraceId, TracePart } from './api.ts';
import { partArguments } from './part.ts';

const CHUNK_BYTES = 1 << 20;

/** Cancel and progress of the reading of a file. */
export interface HashOptions {
  readonly signal?: AbortSignal;
  /** Hears how many bytes have been read so far. */
  readonly onRead?: (bytes: number) => void;
}

/** The SHA-256 of a file, in hex. */
export async function contentHash(path: string, options: HashOptions = {}): Promise<TraceId> {
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

/** What the files of one recording are known by: a single file by its own id. */
export function recordingId(files: readonly TraceId[]): TraceId {
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0) return only;
  return createHash('sha256').update(JSON.stringify(files)).digest('hex');
}

/** What a part of a file is known by: the file's own id if it is the whole. */
export function partId(file: TraceId, part: TracePart): TraceId {
  const options = partArguments(part);
  if (options.length === 0) return file;
  return createHash('sha256')
    .update(JSON.stringify([file, ...options]))
    .digest('hex');
}
