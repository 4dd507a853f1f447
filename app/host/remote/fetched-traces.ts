import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { OpenError, type OpenOptions, type TraceId, type WantedTrace } from '../api.ts';
import { isFileName } from '../bundle/format.ts';
import { contentHash } from '../content-hash.ts';
import type { TeamServer } from './server-schema.ts';
import { askServer } from './server.ts';

/** A trace that was fetched. */
export interface FetchedTrace {
  readonly id: TraceId;
  readonly path: string;
  readonly sizeBytes: number;
  /** When it was last asked for, in ms since 1970 UTC. */
  readonly usedAtMs: number;
}

/** The largest trace that is fetched. */
const LARGEST_BYTES = 32 * 1024 ** 3;
/** A trace used so recently may be open. */
const IN_USE_MS = 3_600_000;
/** What has come so far of a trace, to go on from. */
const PARTIAL = '.part';

const described = v.object({
  name: v.string(),
  sizeBytes: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
});

/** Traces that were fetched from team servers, a folder each by content: `ID/NAME`. */
export class FetchedTraces {
  readonly #dir: string;
  readonly #limit_bytes: number;

  /** Of more than `limit_bytes` the traces that were unused for longest are removed. */
  constructor(dir: string, limit_bytes: number) {
    this.#dir = dir;
    this.#limit_bytes = limit_bytes;
  }

  /**
   * Fetches a trace, unless it is there; its path. Bytes that are not those of its id are removed. What had come before an
   * abort or a broken connection stays, and the next call goes on from there.
   */
  async fetch(server: TeamServer, { id, sizeBytes }: WantedTrace, options: OpenOptions): Promise<string> {
    const there = (await this.list()).find((each) => each.id === id);
    if (there !== undefined) {
      await touch(join(this.#dir, id));
      return there.path;
    }
    const { name, sizeBytes: size } = await describe(server, { id, sizeBytes }, options);
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const partial = join(this.#dir, id + PARTIAL);
    if ((await sizeOf(partial)) !== size) await this.#receive(server, { id, size, partial }, options);
    const { signal, onProgress } = options;
    const is = await contentHash(partial, {
      ...(signal && { signal }),
      onRead: (bytes) => onProgress?.({ stage: 'hash', fraction: bytes / size }),
    });
    if (is !== id) {
      await rm(partial, { force: true });
      throw new OpenError(
        'other_trace',
        `${server.origin}: sent another trace: the SHA-256 of its content is ${is}, not ${id}`,
      );
    }
    const folder = join(this.#dir, id);
    const path = join(folder, isFileName(name) ? name : 'trace.etl');
    await mkdir(folder, { recursive: true });
    await rename(partial, path);
    await this.#evict(id);
    return path;
  }

  /** How many are kept, and their size together. */
  async usage(): Promise<{ readonly dir: string; readonly count: number; readonly sizeBytes: number }> {
    const all = await this.list();
    return { dir: this.#dir, count: all.length, sizeBytes: sum(all) };
  }

  /** Removes all of them. */
  async clear(): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true });
  }

  /** Receives what is missing of a trace. */
  async #receive(
    server: TeamServer,
    { id, size, partial }: { readonly id: TraceId; readonly size: number; readonly partial: string },
    { signal, onProgress }: OpenOptions,
  ): Promise<void> {
    const had = await sizeOf(partial);
    const from = had < size ? had : 0;
    const headers = from > 0 ? { range: `bytes=${from}-` } : {};
    const answer = await askServer(server, `/api/traces/${id}/file`, { headers, signal });
    const goesOn =
      answer.status === 206 && answer.header('content-range') === `bytes ${from}-${size - 1}/${size}`;
    let at = goesOn ? from : 0;
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        at += chunk.length;
        onProgress?.({ stage: 'download', fraction: Math.min(1, at / size) });
        done(
          at > size
            ? new OpenError('server', `${server.origin}: sends more than the ${size} bytes it said`)
            : null,
          chunk,
        );
      },
    });
    const file = createWriteStream(partial, { flags: goesOn ? 'a' : 'w', mode: 0o600 });
    await pipeline(answer.body, counter, file, { ...(signal && { signal }) }).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (error instanceof OpenError || isOfDisk(error)) throw error;
    });
    if (at < size)
      throw new OpenError(
        'server',
        `${server.origin}: the connection broke down at ${await sizeOf(partial)} of ${size} bytes: try again to go on from there`,
      );
  }

  /** All that are kept, the one used last first. */
  async list(): Promise<readonly FetchedTrace[]> {
    const ids = (await readdir(this.#dir).catch(() => [])).filter((name) => /^[0-9a-f]{64}$/.test(name));
    const all = await Promise.all(
      ids.map(async (id) => {
        const [name] = await readdir(join(this.#dir, id)).catch(() => []);
        if (name === undefined) return [];
        const path = join(this.#dir, id, name);
        const [{ size }, { mtimeMs }] = await Promise.all([stat(path), stat(join(this.#dir, id))]);
        return [{ id, path, sizeBytes: size, usedAtMs: mtimeMs }];
      }),
    );
    return all.flat().sort((a, b) => b.usedAtMs - a.usedAtMs);
  }

  async #evict(kept: TraceId): Promise<void> {
    const all = await this.list();
    let total = sum(all);
    for (const { id, sizeBytes, usedAtMs } of [...all].reverse()) {
      if (total <= this.#limit_bytes) return;
      if (id === kept || Date.now() - usedAtMs < IN_USE_MS) continue;
      await rm(join(this.#dir, id), { recursive: true, force: true });
      total -= sizeBytes;
    }
  }
}

/** What a server says of a trace, if that may be fetched. */
async function describe(server: TeamServer, { id, sizeBytes }: WantedTrace, { signal }: OpenOptions) {
  const answer = await askServer(server, `/api/traces/${id}`, { signal });
  const trace = v.safeParse(described, await answer.json());
  const refuse = (why: string): never => {
    throw new OpenError('server', `${server.origin}: ${why}`);
  };
  if (!trace.success) return refuse('what answers there is no team server');
  const size = trace.output.sizeBytes;
  if (sizeBytes !== null && sizeBytes !== size)
    refuse(`its trace has ${size} bytes, and the link says ${sizeBytes}`);
  if (size > LARGEST_BYTES) refuse(`its trace has ${size} bytes, and ${LARGEST_BYTES} is the most`);
  return trace.output;
}

/** Whether it is the disk that refused, as where it is full. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && ['open', 'write'].includes(String(error.syscall));
}

/** The size of a file; 0 if there is none. */
function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** A folder is now the one used last. */
async function touch(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now);
}

const sum = (all: readonly FetchedTrace[]): number =>
  all.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
