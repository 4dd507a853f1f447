import { open } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import * as v from 'valibot';

const fetchedFile = v.object({
  /** The server's address, as the symbol path names it. */
  server: v.string(),
  url: v.string(),
  /** Where the file shall be written; it is there, and empty. */
  file: v.string(),
  /** How the server shall know who asks. */
  user_agent: v.string(),
  bytes_max: v.number(),
  redirects_max: v.number(),
  /** Until the server is connected to. */
  connecting_max_ms: v.number(),
  /** From then on until it answers. */
  answering_max_ms: v.number(),
  /** Between two pieces of its answer. */
  silence_max_ms: v.number(),
  /** All together. */
  downloading_max_ms: v.number(),
  /** Least time between two reports of progress. */
  interval_ms: v.number(),
});

/** A file that `outrank-symbols` wants from a server, and within which bounds. */
export type FetchedFile = v.InferOutput<typeof fetchedFile>;

/** Why there is no file, as `outrank-symbols` takes it, which knows the words. */
export type FetchFailure =
  | { readonly not_there: number }
  | { readonly status: number }
  | { readonly other: string }
  | 'too_large'
  | 'too_many_redirects'
  | 'unsafe'
  | 'no_host'
  | 'refused'
  | 'too_slow'
  | 'broken_off'
  | 'no_room'
  | 'not_reached_before';

/** What came of it; null: the file is there. */
export interface FetchEnd {
  readonly failure: FetchFailure | null;
  /** Whether the server answered. */
  readonly reached: boolean;
}

const line = v.object({ module: v.number(), fetch: fetchedFile });

/** Reads the line by which `outrank-symbols` asks for a file. */
export function readFetch(text: string): v.InferOutput<typeof line> {
  return v.parse(line, JSON.parse(text));
}

class Failed extends Error {
  constructor(readonly failure: FetchFailure) {
    super(JSON.stringify(failure));
  }
}

/** Writes what a server sends to the file; `onProgress` hears how many bytes of how many are there. Never rejects. */
export async function fetchFile(
  wanted: FetchedFile,
  onProgress: (bytes: number, totalBytes: number | null) => void,
): Promise<FetchEnd> {
  const watch = new Watch(wanted.downloading_max_ms);
  let reached = false;
  try {
    const response = await answerTo(wanted, watch);
    reached = true;
    await write(response, wanted, watch, onProgress);
    return { failure: null, reached };
  } catch (error) {
    return { failure: watch.isOver ? 'too_slow' : failureOf(error), reached };
  } finally {
    watch.end();
  }
}

/** Ends a request that takes longer than it may. */
class Watch {
  isOver = false;
  readonly #all: NodeJS.Timeout;
  #phase: NodeJS.Timeout | undefined;
  #request: http.ClientRequest | null = null;

  constructor(allMs: number) {
    this.#all = setTimeout(() => this.#stop(), allMs);
  }

  follow(request: http.ClientRequest): void {
    this.#request = request;
    if (this.isOver) this.#stop();
  }

  /** What is next may take so long. */
  expect(withinMs: number): void {
    clearTimeout(this.#phase);
    this.#phase = setTimeout(() => this.#stop(), withinMs);
  }

  end(): void {
    clearTimeout(this.#all);
    clearTimeout(this.#phase);
    this.#request?.destroy();
  }

  #stop(): void {
    this.isOver = true;
    this.#request?.destroy(new Failed('too_slow'));
  }
}

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/** The answer of the server, or of where it sends on to. A safe address may not lead to an unsafe one. */
async function answerTo(wanted: FetchedFile, watch: Watch): Promise<http.IncomingMessage> {
  const isSafe = new URL(wanted.url).protocol === 'https:';
  let url = wanted.url;
  for (let redirects = 0; ; redirects += 1) {
    const response = await answerAt(url, wanted, watch);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode) || location === undefined) return response;
    response.destroy();
    if (redirects === wanted.redirects_max) throw new Failed('too_many_redirects');
    const next = new URL(location, url);
    if (isSafe && next.protocol !== 'https:') throw new Failed('unsafe');
    url = next.href;
  }
}

function answerAt(url: string, wanted: FetchedFile, watch: Watch): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSafe = new URL(url).protocol === 'https:';
    // One connection for each file: an old one may be closed just when it is used again.
    const headers = { accept: '*/*', connection: 'close', 'user-agent': wanted.user_agent };
    const request = (isSafe ? https : http).get(url, { headers });
    watch.follow(request);
    watch.expect(wanted.connecting_max_ms);
    request.on('socket', (socket) => {
      socket.once(isSafe ? 'secureConnect' : 'connect', () => watch.expect(wanted.answering_max_ms));
    });
    request.once('response', (response) => {
      watch.expect(wanted.silence_max_ms);
      resolve(response);
    });
    // It may fail once more after it has answered.
    request.on('error', reject);
  });
}

async function write(
  response: http.IncomingMessage,
  { file, bytes_max: bytesMax, silence_max_ms: silenceMs, interval_ms: intervalMs }: FetchedFile,
  watch: Watch,
  onProgress: (bytes: number, totalBytes: number | null) => void,
): Promise<void> {
  const { statusCode: status = 0, headers } = response;
  if (status === 404 || status === 410) throw new Failed({ not_there: status });
  if (status !== 200) throw new Failed({ status });
  const length = headers['content-length'];
  const totalBytes = length === undefined ? null : Number(length);
  if (totalBytes !== null && totalBytes > bytesMax) throw new Failed('too_large');
  const out = await open(file, 'r+');
  try {
    let bytes = 0;
    let told = performance.now();
    onProgress(0, totalBytes);
    for await (const piece of response as AsyncIterable<Buffer>) {
      watch.expect(silenceMs);
      bytes += piece.length;
      if (bytes > bytesMax) throw new Failed('too_large');
      await out.writeFile(piece);
      if (performance.now() - told >= intervalMs) {
        told = performance.now();
        onProgress(bytes, totalBytes);
      }
    }
  } finally {
    await out.close();
  }
}

/** Kinds of failure by the codes of the system. */
const FAILURES: Readonly<Record<string, FetchFailure>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'broken_off',
  EPIPE: 'broken_off',
  ERR_STREAM_PREMATURE_CLOSE: 'broken_off',
  ETIMEDOUT: 'too_slow',
  ENOTFOUND: 'no_host',
  EAI_AGAIN: 'no_host',
  ENOSPC: 'no_room',
};

function failureOf(error: unknown): FetchFailure {
  if (error instanceof Failed) return error.failure;
  if (!(error instanceof Error)) return { other: String(error) };
  const code = 'code' in error ? String(error.code) : '';
  return FAILURES[code] ?? { other: error.message };
}
