import type { Readable } from 'node:stream';
import * as v from 'valibot';
import { TAG_NAME } from '../../../shared/lake/index.ts';
import type { TraceId } from '../../host/api.ts';

/** What is said of a trace: values by name, as `outrank lake add --tag` takes them. */
export const traceTags = v.pipe(
  v.record(v.pipe(v.string(), v.regex(TAG_NAME)), v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
  v.check((tags) => Object.keys(tags).length <= 20, '20 tags at most'),
);

/** What a store knows of a trace that it keeps. */
export const traceRecord = v.object({
  /** SHA-256 of the file, in hex. */
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** The file's name, without folders. */
  name: v.pipe(v.string(), v.regex(/^(?!\.*$)[\p{L}\p{N} ._()+-]{1,100}$/u)),
  sizeBytes: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** Who uploaded it. */
  by: v.pipe(v.string(), v.maxLength(256)),
  /** In ms since 1970 UTC. */
  uploadedAtMs: v.number(),
  /** When it is removed by itself, in ms since 1970 UTC; null for never. */
  expiresAtMs: v.nullable(v.number()),
  /** SHA-256 of the token that deletes it, in hex. */
  deleteTokenHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** What its uploader said of it, such as `build` = `1234`. */
  tags: v.optional(traceTags),
});

/** What a store knows of a trace that it keeps. */
export type TraceRecord = v.InferOutput<typeof traceRecord>;

/** A run of the bytes of a file, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The bytes of a kept trace in a file on this machine. */
export interface LocalCopy {
  readonly path: string;
  /** Says that it is no longer needed. */
  release(): Promise<void>;
}

/** A store that cannot be used now; the message says why, for the operator. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** The bytes of a trace are gone from its store; the message says which, for the operator. */
export class LostTraceError extends StoreError {
  override readonly name = 'LostTraceError';
}

/** Keeps traces by the hash of their content. A trace appears whole or not at all, also when the process is killed. */
export interface TraceStore {
  /**
   * Keeps the bytes of a finished file, which no longer changes. The caller removes its `path` afterwards. What was kept
   * under the same id is replaced. Resolves when the trace would outlast a loss of power.
   */
  add(record: TraceRecord, path: string): Promise<void>;
  /** What is known of a trace; null if it is not kept. */
  get(id: TraceId): Promise<TraceRecord | null>;
  /** All traces, in no order. Records that cannot be read are left out. */
  list(): Promise<readonly TraceRecord[]>;
  /**
   * The trace's bytes as a file with the trace's name. Whether they are still those of its id, the caller finds out.
   * Rejects with a {@link LostTraceError} if there are none.
   */
  checkOut(record: TraceRecord, signal?: AbortSignal): Promise<LocalCopy>;
  /**
   * A run of the trace's bytes, and no more than those. That they are still those of its id, only whoever has all of them
   * finds out. Rejects with a {@link LostTraceError} if there are none, or not as many as the record says.
   */
  read(record: TraceRecord, range: ByteRange): Promise<Readable>;
  /** Removes a trace; nothing happens if it is not kept. */
  remove(id: TraceId): Promise<void>;
  /** Rejects, with why, if the store cannot be read or written now. */
  check(): Promise<void>;
}

/** Reads a record from outside; null if it is none. */
export function readRecord(text: string): TraceRecord | null {
  try {
    const result = v.safeParse(traceRecord, JSON.parse(text));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}
