import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import * as v from 'valibot';
import { OpenError } from '../api.ts';
import { contentHash } from '../content-hash.ts';
import { fetch, type Answer, type Question } from './fetch.ts';

/** A trace that a team server keeps. */
export interface UploadedTrace {
  /** The address that shows it. */
  readonly url: string;
  /** What deletes it; null if the server had it already. */
  readonly deleteToken: string | null;
}

/** What is uploaded, where, and as whom. */
export interface UploadOptions {
  readonly path: string;
  /** The server's address. */
  readonly to: URL;
  /** Null where none is needed, as behind a proxy that knows who asks. */
  readonly token: string | null;
  /** How long it is kept, in ms; absent for as long as the server does. */
  readonly keptMs?: number | undefined;
  /** What is said of it, for the lake of the server. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Is told the part that is done, 0 to 1. */
  readonly onProgress?: (stage: 'hash' | 'upload', fraction: number) => void;
  /** How long to wait before the server is asked again, in ms. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A server that refuses; the message names it, and why. */
export class UploadError extends OpenError {
  /** `token`: the server wants another token. */
  constructor(message: string, kind: 'server' | 'token' = 'server') {
    super(kind, message);
  }
}

/** Each request confirms so much: what a broken connection makes us send again is less. */
const CHUNK_BYTES = 32 << 20;
/** A server that is being started again is back after this many attempts. */
const MOST_ATTEMPTS = 12;

const started = v.object({ url: v.string(), deleteToken: v.string() });
const finished = v.object({ url: v.string() });

/**
 * Uploads a trace, and goes on where it was when the connection or the server breaks down. Rejects with an
 * {@link UploadError}, or an error of the file system.
 */
export async function uploadTrace(options: UploadOptions): Promise<UploadedTrace> {
  const { path, to, keptMs, tags, onProgress, signal } = options;
  const { size: sizeBytes } = await stat(path);
  const sha256 = await contentHash(path, {
    ...(signal && { signal }),
    onRead: (bytes) => onProgress?.('hash', bytes / sizeBytes),
  });
  const body = JSON.stringify({ name: basename(path), sizeBytes, sha256, keptMs, tags });
  const begun = await ask(options, '/api/uploads', { method: 'POST', body });
  if (begun.status === 200) return { url: absolute(to, await read(begun, finished)), deleteToken: null };
  const { url, deleteToken } = await read(begun, started);
  let at: number | 'gone' | null = 0;
  for (let attempt = 0; ;) {
    at ??= await offset(options, url);
    if (at === 'gone') return { url: absolute(to, await finishedBefore(options, body)), deleteToken };
    const end: number = Math.min(sizeBytes, at + CHUNK_BYTES);
    const answer = await send(options, url, at, end);
    if (answer === null || answer.status === 409 || answer.status === 503) {
      attempt += 1;
      if (attempt >= MOST_ATTEMPTS) {
        if (answer?.status === 503) throw await refusal(options, answer);
        throw new UploadError(`${to.host}: the connection broke down too often`);
      }
      await pause(options, attempt);
      at = null;
      continue;
    }
    attempt = 0;
    if (answer.status === 200) return { url: absolute(to, await read(answer, finished)), deleteToken };
    if (answer.status !== 204) throw await refusal(options, answer);
    at = Number(answer.header('upload-offset'));
    onProgress?.('upload', at / sizeBytes);
  }
}

/** Sends a part of the file; null if the connection broke down. */
async function send({ path, to, token, signal }: UploadOptions, url: string, at: number, end: number) {
  const bytes = at < end ? createReadStream(path, { start: at, end: end - 1 }) : Readable.from([]);
  let isOfDisk = false;
  bytes.once('error', () => (isOfDisk = true));
  return fetch(new URL(url, to), {
    method: 'PATCH',
    headers: { ...authorization(token), 'upload-offset': String(at) },
    body: bytes,
    signal,
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    // A file that cannot be read is no broken connection.
    if (isOfDisk) throw error;
    return null;
  });
}

/** How many bytes the server has; `gone` if it knows the upload no more. */
async function offset(options: UploadOptions, url: string): Promise<number | 'gone'> {
  const answer = await ask(options, url, { method: 'HEAD' });
  return answer.status === 404 ? 'gone' : Number(answer.header('upload-offset'));
}

/** The trace, if the server had finished the upload when the connection broke down. */
async function finishedBefore(options: UploadOptions, body: string) {
  const answer = await ask(options, '/api/uploads', { method: 'POST', body });
  if (answer.status === 200) return read(answer, finished);
  throw new UploadError(`${options.to.host}: the server gave up the upload: upload again`);
}

/** Asks the server, again while it does not answer. */
async function ask(options: UploadOptions, path: string, init: Question): Promise<Answer> {
  const { to, token, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(new URL(path, to), {
        ...init,
        headers: authorization(token),
        signal,
      });
      if (answer.ok || answer.status === 404) return answer;
      if (answer.status !== 503 || attempt >= MOST_ATTEMPTS) throw await refusal(options, answer);
    } catch (error) {
      if (error instanceof UploadError) throw error;
      signal?.throwIfAborted();
      // No server has this address. Waiting does not change that.
      if (error instanceof Error && 'code' in error && error.code === 'ENOTFOUND')
        throw new UploadError(`${to.host}: there is no such server`);
      if (attempt >= MOST_ATTEMPTS) throw new UploadError(`${to.host}: the server does not answer`);
    }
    await pause(options, attempt);
  }
}

async function refusal({ to }: UploadOptions, answer: Answer): Promise<UploadError> {
  const text = (await answer.text()).trim();
  const kind = answer.status === 401 ? 'token' : 'server';
  return new UploadError(`${to.host}: ${text === '' ? `status ${answer.status}` : text}`, kind);
}

async function read<T>(answer: Answer, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const result = v.safeParse(schema, await answer.json());
  if (result.success) return result.output;
  throw new UploadError(`${new URL(answer.url).host}: what answers there is no Outrank server`);
}

const absolute = (to: URL, { url }: { readonly url: string }): string => new URL(url, to).href;

const authorization = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

function pause({ waitMs = 1000 }: UploadOptions, attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, waitMs * Math.min(attempt, 5)));
}
