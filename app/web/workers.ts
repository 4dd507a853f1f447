import { connectEngine } from '../../shared/engine/client.ts';
import type { Engine } from '../../shared/engine/index.ts';
import { ConverterTalk, type ConverterEnd } from '../host/converter-talk.ts';
import { OpenError } from '../host/api.ts';
import engineUrl from '../../vendor/engine/trace_processor.wasm?url';
import wasmUrl from '../../dist/outrank-convert.wasm?url';
import type { GivenFile, Job, Told, WrittenFile } from './job.ts';

/** What tells this converter from others: the address of its module holds a hash of its content. */
export const CONVERTER = wasmUrl.split('/').at(-1) ?? wasmUrl;

/** Cancel of a job. */
interface JobOptions {
  readonly signal?: AbortSignal | undefined;
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
    const fail = (message: string): void => {
      end();
      reject(new OpenError('converter', message));
    };
    signal?.addEventListener('abort', stop);
    worker.onerror = ({ message }) => fail(message || 'the worker that reads files cannot be started');
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.kind === 'failed') fail(data.message);
      else if (take(data)) {
        end();
        resolve();
      }
    };
    worker.postMessage(job);
  });
}

/** The SHA-256 of each file, in hex. */
export async function hashFiles(
  files: readonly GivenFile[],
  { onProgress, ...options }: JobOptions & { readonly onProgress?: ((fraction: number) => void) | undefined },
): Promise<readonly string[]> {
  const allBytes = files.reduce((sum, { blob }) => sum + blob.size, 0);
  let doneBytes = 0;
  let hashes: readonly string[] = [];
  await run({ kind: 'hash', files }, options, (told) => {
    if (told.kind === 'read') onProgress?.((doneBytes += told.bytes) / allBytes);
    if (told.kind === 'hashed') hashes = told.hashes;
    return told.kind === 'hashed';
  });
  return hashes;
}

/** What a run of the converter left. */
export interface PageConversion {
  readonly end: ConverterEnd;
  readonly written: readonly WrittenFile[];
}

/** Runs the converter on files of the page; what it writes goes to a folder of the kept traces, or to memory. */
export async function runInPage(
  { files, args, folder }: Pick<Extract<Job, { kind: 'convert' }>, 'files' | 'args' | 'folder'>,
  { onProgress, ...options }: JobOptions & { readonly onProgress?: ((fraction: number) => void) | undefined },
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
