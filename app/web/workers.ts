import { connect, workerPort, type Call } from '../../shared/border/index.ts';
import { ENGINE_ASKING, engineOf } from '../../shared/engine/client.ts';
import type { Engine } from '../../shared/engine/index.ts';
import type { EngineCalls } from '../../shared/engine/protocol.ts';
import { ConverterTalk, type ConverterEnd } from '../host/converter-talk.ts';
import engineUrl from '../../vendor/engine/trace_processor.wasm?url';
import wasmUrl from '../../dist/outrank-convert.wasm?url';
import symbolsUrl from '../../dist/outrank-symbols.wasm?url';
import { runJob, type JobCall } from './job-worker.ts';
import type { BytesRead, FileCalls, GivenFile, Unpacked, WrittenFile } from './job.ts';

/** What tells this converter from others: the address of its module holds a hash of its content. */
export const CONVERTER = wasmUrl.split('/').at(-1) ?? wasmUrl;

/** Cancel of a job, and how far it has come: the part of it that is done. */
interface JobOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** Has a worker do a job with files. */
function run<K extends keyof FileCalls>(
  name: K,
  given: FileCalls[K]['given'],
  call: JobCall<FileCalls[K]['note']>,
): Promise<FileCalls[K]['answer']> {
  const start = () => new Worker(new URL('./file-worker.ts', import.meta.url), { type: 'module' });
  return runJob<FileCalls, K>(start, 'converter', name, given, call);
}

/** What takes the bytes that a job has read. */
function reading({ signal, onProgress }: JobOptions): JobCall<BytesRead> {
  let read_bytes = 0;
  return { signal, onNote: ({ bytes, of }) => onProgress?.((read_bytes += bytes) / of) };
}

/** The SHA-256 of each file, in hex. */
export function hashFiles(files: readonly GivenFile[], options: JobOptions): Promise<readonly string[]> {
  return run('hash', files, reading(options));
}

/** The files of a bundle's recording, in its order, and what the bundle says, which is a stranger's. */
export function unpackBundle(given: FileCalls['unpack']['given'], options: JobOptions): Promise<Unpacked> {
  return run('unpack', given, reading(options));
}

/** A bundle of these parts. */
export function packBundle(given: FileCalls['pack']['given'], options: JobOptions): Promise<Blob> {
  return run('pack', given, reading(options));
}

/** What a run of the converter left. */
export interface PageConversion {
  readonly end: ConverterEnd;
  readonly written: readonly WrittenFile[];
}

/** Runs the converter on files of the page; what it writes goes to a folder of the kept traces, or to memory. */
export async function runInPage(
  given: Omit<FileCalls['convert']['given'], 'wasmUrl'>,
  { signal, onProgress }: JobOptions,
): Promise<PageConversion> {
  const talk = new ConverterTalk(onProgress);
  const onNote = (note: FileCalls['convert']['note']): void => {
    if ('printed' in note) talk.print(note.printed);
    else talk.hear(note.said);
  };
  const program = { ...given, wasmUrl: new URL(wasmUrl, location.href).href };
  const { status, written } = await run('convert', program, { signal, onNote });
  return { end: talk.end(status), written };
}

/** Has the reader of symbols answer requests, by lines that `onLine` is told. */
export async function readSymbols(
  given: Omit<FileCalls['symbols']['given'], 'wasmUrl'>,
  signal: AbortSignal | undefined,
  onLine: (line: string) => void,
): Promise<void> {
  const program = { ...given, wasmUrl: new URL(symbolsUrl, location.href).href };
  await run('symbols', program, { signal, onNote: onLine });
}

/** What the worker of an engine answers in a page. */
export interface PageEngineCalls extends EngineCalls {
  /** Gives files to be loaded, before the load that needs them. */
  give: Call<readonly GivenFile[]>;
}

/** An engine in a worker of its own, which reads the files that it is given, by their paths. */
export interface PageEngine extends Engine {
  give(files: readonly GivenFile[]): void;
}

export function startPageEngine(): PageEngine {
  const port = workerPort(new Worker(new URL('./engine-worker.ts', import.meta.url), { type: 'module' }));
  const worker = connect<PageEngineCalls>(port, ENGINE_ASKING);
  const engine = engineOf(worker, port, new URL(engineUrl, location.href).href);
  return { ...engine, give: (files) => worker.tell('give', files) };
}
