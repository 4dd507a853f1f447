import { basename, resolve } from 'node:path';
import { OpenError } from './api.ts';
import type { OpenOptions, TraceId, TracePart } from './api.ts';
import { contentHash, type HashOptions } from './content-hash.ts';
import { WHOLE } from './part.ts';
import { partId, recordingId } from './recording-id.ts';
import { statFile } from './stat-file.ts';

/** The files of a recording, and what they are known by. */
export interface TraceFile {
  /** Of the part. */
  readonly id: TraceId;
  readonly part: TracePart;
  readonly path: string;
  /** The other files of the recording. */
  readonly others: readonly string[];
  readonly name: string;
  readonly sizeBytes: number;
}

/**
 * Reads the identity of a recording's files; a file that changes meanwhile has none. Rejects with `other_trace` if it is
 * not the one that is expected. `hashOf` gives the SHA-256 of a file.
 */
export async function identify(
  path: string,
  options: OpenOptions,
  hashOf: (path: string, options: HashOptions) => Promise<string> = contentHash,
): Promise<TraceFile> {
  const { onProgress, signal, part: given, with: more = [], expected } = options;
  const paths = [path, ...more].map((each) => resolve(each));
  const before = await Promise.all(paths.map(statFile));
  const sizeBytes = before.reduce((sum, { size }) => sum + size, 0);
  const ids: TraceId[] = [];
  let done = 0;
  for (const [at, each] of paths.entries()) {
    const report = (bytes: number): void =>
      onProgress?.({ stage: 'hash', fraction: Math.min(1, (done + bytes) / sizeBytes) });
    ids.push(await hashOf(each, { ...(signal && { signal }), onRead: report }));
    const [was, is] = [before[at], await statFile(each)];
    if (is.size !== was?.size || is.mtimeMs !== was.mtimeMs)
      throw new OpenError('file', `${each}: the file is still being written`);
    done += is.size;
  }
  const whole = recordingId(ids);
  const id = partId(whole, given ?? WHOLE);
  const part = id === whole || given === undefined ? WHOLE : given;
  const [first = path, ...others] = paths;
  const name = paths.map((each) => basename(each)).join(' + ');
  if (expected === undefined || expected === id) return { id, part, path: first, others, name, sizeBytes };
  throw new OpenError(
    'other_trace',
    `${name} is another trace than the link's: the SHA-256 of its content is ${id}, not ${expected}`,
  );
}
