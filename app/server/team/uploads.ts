import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, readdir, rm, stat, utimes } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import * as v from 'valibot';
import { formatBytes } from '../../../shared/model/index.ts';
import { contentHash } from '../../host/content-hash.ts';
import { isFull, sync, writeDurably } from '../store/durable.ts';
import { traceTags, type TraceRecord } from '../store/trace-store.ts';
import { safeName } from '../uploads.ts';
import type { Library } from './library.ts';
import { TeamError } from './team-error.ts';

/** Bounds on uploads. */
export interface UploadLimits {
  /** The largest trace. */
  readonly eachBytes: number;
  /** How many of one uploader may be under way. */
  readonly underWay: number;
  /** An upload to which nothing was added for so long is given up, in ms. */
  readonly abandonedMs: number;
  /** A body that brings fewer than 64 KiB in such a time, and is not at its end, is broken off, in ms. */
  readonly slowMs: number;
}

/** What a body brings at least in `slowMs`. */
const LEAST_BYTES = 64 << 10;

const state = v.object({
  name: v.string(),
  by: v.string(),
  sizeBytes: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** SHA-256 that the uploader said the file has, in hex; null if they did not say. */
  id: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
  /** How long the trace is kept from the end of the upload, in ms; null for ever. */
  keptMs: v.nullable(v.number()),
  deleteTokenHash: v.string(),
  tags: v.optional(traceTags),
});
type State = v.InferOutput<typeof state>;

/** What somebody wants to upload. */
export type UploadRequest = State;

/** An upload that is under way. */
export interface Upload extends Readonly<State> {
  readonly key: string;
}

interface Running {
  readonly upload: Upload;
  /** Breaks off the body that is being taken. */
  taking: { readonly body: Readable; readonly ended: Promise<unknown> } | null;
  finishing: Promise<TraceRecord> | null;
}

const STATE = 'state.json';
const DATA = 'data';
const KEY = /^[0-9a-f]{32}$/;

/**
 * Uploads under way, a folder each. What was confirmed (an offset that was answered) is on disk, so that an upload goes
 * on where it was after the connection, the server or the machine broke down; its hash is checked at its end.
 */
export class Uploads {
  readonly #dir: string;
  readonly #limits: UploadLimits;
  readonly #running = new Map<string, Running>();

  private constructor(dir: string, limits: UploadLimits) {
    this.#dir = dir;
    this.#limits = limits;
  }

  /** Takes up again the uploads in a folder, which is made if it is not there. */
  static async open(dir: string, limits: UploadLimits): Promise<Uploads> {
    const uploads = new Uploads(dir, limits);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    for (const key of await readdir(dir)) {
      const text = await readFile(join(dir, key, STATE), 'utf8').catch(() => '');
      const known = KEY.test(key) ? readState(text) : null;
      if (known === null) await rm(join(dir, key), { recursive: true, force: true });
      else uploads.#running.set(key, { upload: { ...known, key }, taking: null, finishing: null });
    }
    return uploads;
  }

  /** Those that are under way. */
  get all(): readonly Upload[] {
    return [...this.#running.values()].map(({ upload }) => upload);
  }

  /** Begins an upload. */
  async start(library: Library, request: UploadRequest): Promise<Upload> {
    const { by, sizeBytes } = request;
    if (sizeBytes > this.#limits.eachBytes)
      throw new TeamError(413, `a trace may have ${formatBytes(this.#limits.eachBytes)} on this server`);
    if (this.all.filter((each) => each.by === by).length >= this.#limits.underWay)
      throw new TeamError(429, `${by} has ${this.#limits.underWay} uploads under way already`);
    const key = randomBytes(16).toString('hex');
    const kept: State = { ...request, name: safeName(request.name) };
    const upload = { ...kept, key };
    // Counted at once: of two requests for the last room one is refused.
    const underWay = this.all;
    this.#running.set(key, { upload, taking: null, finishing: null });
    try {
      await library.assertRoom(by, sizeBytes, underWay);
      const dir = join(this.#dir, key);
      await mkdir(dir, { mode: 0o700 });
      await (await open(join(dir, DATA), 'wx', 0o600)).close();
      await writeDurably(join(dir, STATE), JSON.stringify(kept));
      await sync(this.#dir);
      return upload;
    } catch (error) {
      await this.cancel(key);
      throw isFull(error) ? new TeamError(507, 'the disk of this server is full') : error;
    }
  }

  /** An upload of somebody. Others' uploads are as unknown as those that never were. */
  find(key: string, by: string): Upload {
    const running = this.#running.get(key);
    if (running?.upload.by !== by)
      throw new TeamError(404, 'no such upload: it was finished, cancelled, or given up');
    return running.upload;
  }

  /** How many bytes there are. A body that is still being taken from a lost connection is broken off first. */
  async offset({ key }: Upload): Promise<number> {
    await this.#breakOff(key);
    return (await stat(this.#data(key))).size;
  }

  /**
   * Adds bytes at `offset`, which must be where the upload is; the offset afterwards, which is safe on disk. A body that
   * breaks off counts as far as it came.
   */
  async append(upload: Upload, offset: number, body: Readable): Promise<number> {
    const { key, sizeBytes } = upload;
    const at = await this.offset(upload);
    if (offset !== at)
      throw new TeamError(409, `the upload is at ${at}, not ${offset}`, { 'upload-offset': String(at) });
    const running = this.#running.get(key);
    if (running === undefined) throw new TeamError(404, 'no such upload');
    const writing = this.#write(key, offset, sizeBytes, body);
    running.taking = { body, ended: writing.catch(() => undefined) };
    try {
      return await writing;
    } finally {
      running.taking = null;
    }
  }

  /** Checks an upload that is whole, and has it kept. Asked again while that lasts, the same is awaited. */
  finish(library: Library, { key }: Upload): Promise<TraceRecord> {
    const running = this.#running.get(key);
    if (running === undefined) throw new TeamError(404, 'no such upload');
    running.finishing ??= this.#finish(library, running.upload).finally(() => (running.finishing = null));
    return running.finishing;
  }

  /** Forgets an upload, and what there is of it. */
  async cancel(key: string): Promise<void> {
    await this.#breakOff(key);
    this.#running.delete(key);
    await rm(join(this.#dir, key), { recursive: true, force: true });
  }

  /** Gives up the uploads to which nothing was added for long; the given up. */
  async giveUpAbandoned(): Promise<readonly Upload[]> {
    const given = [];
    for (const { upload, taking, finishing } of [...this.#running.values()]) {
      if (taking !== null || finishing !== null) continue;
      const stats = await stat(this.#data(upload.key)).catch(() => null);
      if (stats !== null && Date.now() - stats.mtimeMs < this.#limits.abandonedMs) continue;
      await this.cancel(upload.key);
      given.push(upload);
    }
    return given;
  }

  #data(key: string): string {
    return join(this.#dir, key, DATA);
  }

  async #breakOff(key: string): Promise<void> {
    const taking = this.#running.get(key)?.taking;
    if (!taking) return;
    taking.body.destroy();
    await taking.ended;
  }

  async #write(key: string, offset: number, sizeBytes: number, body: Readable): Promise<number> {
    const file = await open(this.#data(key), 'r+');
    try {
      return await takeBody(file, offset, sizeBytes, body, this.#limits.slowMs);
    } finally {
      await file.close();
    }
  }

  async #finish(library: Library, upload: Upload): Promise<TraceRecord> {
    const path = this.#data(upload.key);
    const id = await contentHash(path);
    if (upload.id !== null && id !== upload.id) {
      await this.cancel(upload.key);
      throw new TeamError(
        422,
        `what arrived is not what was announced: its SHA-256 is ${id}, not ${upload.id}`,
      );
    }
    const { name, sizeBytes, by, keptMs, deleteTokenHash, tags } = upload;
    const uploadedAtMs = Date.now();
    const expiresAtMs = keptMs === null ? null : uploadedAtMs + keptMs;
    const record = {
      id,
      name,
      sizeBytes,
      by,
      uploadedAtMs,
      expiresAtMs,
      deleteTokenHash,
      ...(tags && { tags }),
    };
    const had = (await library.has(id)) ? await library.get(id) : null;
    try {
      if (had === null) await library.add(record, path);
    } catch (error) {
      // Time begins anew, in which the uploader may try to finish again.
      await utimes(path, new Date(), new Date()).catch(() => undefined);
      throw isFull(error)
        ? new TeamError(507, 'the disk of this server is full; what arrived is kept')
        : error;
    }
    await this.cancel(upload.key);
    return had ?? record;
  }
}

/** Writes a body from `offset`, as long as it is not too slow; the offset afterwards. */
async function takeBody(
  file: FileHandle,
  offset: number,
  sizeBytes: number,
  body: Readable,
  slowMs: number,
): Promise<number> {
  let at = offset;
  let before = at;
  const watch = setInterval(() => {
    if (at - before < LEAST_BYTES) body.destroy();
    before = at;
  }, slowMs);
  let failure: Error | null = null;
  try {
    // The body is the connection, on which the answer is still to be sent.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (at + chunk.length > sizeBytes)
        throw new TeamError(413, `more than the ${sizeBytes} bytes announced`);
      for (let done = 0; done < chunk.length;) {
        const { bytesWritten } = await file.write(chunk, done, chunk.length - done, at + done);
        done += bytesWritten;
      }
      at += chunk.length;
    }
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  } finally {
    clearInterval(watch);
  }
  // A chunk that was written in part counts as not written.
  await file.truncate(at);
  await file.sync();
  if (failure === null || isBrokenOff(failure)) return at;
  if (!isFull(failure)) throw failure;
  throw new TeamError(507, 'the disk of this server is full; what arrived is kept', {
    'upload-offset': String(at),
  });
}

function isBrokenOff(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE');
}

function readState(text: string): State | null {
  try {
    return v.parse(state, JSON.parse(text));
  } catch {
    return null;
  }
}
