import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { TraceId, TracePart } from './api.ts';
import { partArguments } from './part.ts';

/** What the files of one recording are known by: a single file by its own id. */
export function recordingId(files: readonly TraceId[]): TraceId {
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0) return only;
  return sha256OfText(JSON.stringify(files));
}

/** What a part of a file is known by: the file's own id if it is the whole. */
export function partId(file: TraceId, part: TracePart): TraceId {
  const options = partArguments(part);
  if (options.length === 0) return file;
  return sha256OfText(JSON.stringify([file, ...options]));
}

/** The SHA-256 of a text in UTF-8, in hex. */
export function sha256OfText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
