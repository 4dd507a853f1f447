import { connectEngine } from '../../shared/engine/client.ts';
import type { Engine } from '../../shared/engine/index.ts';
import { ConverterTalk, type ConverterEnd } from '../host/converter-talk.ts';
import { OpenError } from '../host/api.ts';
import engineUrl from '../../vendor/engine/trace_processor.wasm?url';
import wasmUrl from '../../dist/outrank-convert.wasm?url';
import symbolsUrl from '../../dist/outrank-symbols.wasm?url';
import type { GivenFile, Job, Told, WrittenFile } from './job.ts';

/** What tells this converter from others: the address of its module holds a hash of its content. */
export const CONVERTER = wasmUrl.split('/').at(-1) ?? wasmUrl;

/** Cancel of a job, and how far it has come: the part of it that is done. */
interface JobOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** Has a worker do a job, and ends it afterwards. `take` answers whether what was told is the end. */
function run(job: Job, { signal }: JobOptions, take: (told: Told) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = new Worker(new URL('./file-worker.ts', import.meta.url), { type: 'module' });
    const end = (): void => {
      worker.terminate();
      signal?.removeEventListener('abort', stop);
    };
    const stop = (): void => {
      end();
      reject(new DOMException('It was cancelled.', 'AbortError'));
    };
    const fail = (message: string, reason: OpenError['kind']): void => {
      end();
      reject(new OpenError(reason, message));
    };
    signal?.addEventListener('abort', stop);
    worker.onerror = ({ message }) =>
      fail(message || 'the worker that reads files cannot be started', 'converter');
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.kind === 'failed') fail(data.message, data.reason);
      else if (take(data)) {
        end();
        resolve();
      }
    };
    worker.postMessage(job);
  });
}

/** Has a worker do a job, of which it tells how many bytes it has read; `end` makes of the last that it tells what it came to. */
async function runReading<T>(
  job: Job,
  { onProgress, ...options }: JobOptions,
  end: (told: Told) => T | null,
): Promise<T> {
  let done_bytes = 0;
  const results: T[] = [];
  await run(job, options, (told) => {
    if (told.kind === 'read') onProgress?.((done_bytes += told.bytes) / told.of);
    const result = end(told);
    if (result !== null) results.push(result);
    return result !== null;
  });
  const [result] = results;
  if (result === undefined) throw new OpenError('file', `the worker has not done its job ${job.kind}`);
  return result;
}

/** The SHA-256 of each file, in hex. */
export function hashFiles(files: readonly GivenFile[], options: JobOptions): Promise<readonly string[]> {
  return runReading({ kind: 'hash', files }, options, (told) =>
    told.kind === 'hashed' ? told.hashes : null,
  );
}

/** The files of a bundle's recording, in its order, and what the bundle says, which is a stranger's. */
export function unpackBundle(
  job: Omit<Extract<Job, { kind: 'unpack' }>, 'kind'>,
  options: JobOptions,
): Promise<Pick<Extract<Told, { kind: 'unpacked' }>, 'state' | 'files' | 'others'>> {
  return runReading({ kind: 'unpack', ...job }, options, (told) => (told.kind === 'unpacked' ? told : null));
}

/** A bundle of these parts. */
export function packBundle(
  job: Omit<Extract<Job, { kind: 'pack' }>, 'kind'>,
  options: JobOptions,
): Promise<Blob> {
  return runReading({ kind: 'pack', ...job }, options, (told) => (told.kind === 'packed' ? told.blob : null));
}

/** What a run of the converter left. */
export interface PageConversion {
  readonly end: ConverterEnd;
  readonly written: readonly WrittenFile[];
}

/** Runs the converter on files of the page; what it writes goes to a folder of the kept traces, or to memory. */
export async function runInPage(
  { files, args, folder }: Pick<Extract<Job, { kind: 'convert' }>, 'files' | 'args' | 'folder'>,
  { onProgress, ...options }: JobOptions,
): Promise<PageConversion> {
  const talk = new ConverterTalk(onProgress);
  const ended: Extract<Told, { kind: 'ended' }>[] = [];
  await run(
    { kind: 'convert', files, args, wasmUrl: new URL(wasmUrl, location.href).href, folder },
    options,
    (told) => {
      if (told.kind === 'printed') talk.print(told.text);
      else if (told.kind === 'said') talk.hear(told.line);
      else if (told.kind === 'ended') ended.push(told);
      return told.kind === 'ended';
    },
  );
  const [{ status, written } = { status: 'unknown', written: [] }] = ended;
  return { end: talk.end(status), written };
}

/** Has the reader of symbols answer requests, by lines that `onLine` is told. */
export async function readSymbols(
  job: Pick<Extract<Job, { kind: 'symbols' }>, 'files' | 'requests'>,
  signal: AbortSignal | undefined,
  onLine: (line: string) => void,
): Promise<void> {
  const wasmUrl = new URL(symbolsUrl, location.href).href;
  await run({ kind: 'symbols', ...job, wasmUrl }, { signal }, (told) => {
    if (told.kind === 'said') onLine(told.line);
    return told.kind === 'ended';
  });
}

/** An engine in a worker of its own, which reads the files that it is given, by their paths. */
export interface PageEngine extends Engine {
  give(files: readonly GivenFile[]): void;
}

export function startPageEngine(): PageEngine {
  const worker = new Worker(new URL('./engine-worker.ts', import.meta.url), { type: 'module' });
  const engine = connectEngine(
    {
      post: (message) => worker.postMessage(message),
      onMessage: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
      onExit: (listener) => worker.addEventListener('error', ({ message }) => listener(message)),
      end() {
        worker.terminate();
        return Promise.resolve();
      },
    },
    new URL(engineUrl, location.href).href,
  );
  return { ...engine, give: (files) => worker.postMessage(files) };
}
