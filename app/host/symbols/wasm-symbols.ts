/**
 * The script `outrank-symbols.mjs`: `node outrank-symbols.mjs ARGUMENT…` does what the binary `outrank-symbols` does, by the
 * WebAssembly module in the same folder. The module has no network: the script fetches the files that the module asks for, and
 * keeps nothing else.
 */
import { randomFillSync } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import {
  MessageChannel,
  Worker,
  isMainThread,
  parentPort,
  receiveMessageOnPort,
  workerData,
  type MessagePort,
} from 'node:worker_threads';
import { nodeFiles, systemPath } from '../../../shared/wasi/node-files.ts';
import { print } from '../../../shared/wasi/node-print.ts';
import { fetchFile, readFetch, type FetchFailure } from './fetched-file.ts';
import { answerOneByOne } from './one-by-one.ts';

const NAME = 'outrank-symbols';
/** Modules that are looked for at the same time: most of it is waiting for servers. */
const WORKERS = 4;

/** What a worker is started with. */
interface Given {
  readonly module: WebAssembly.Module;
  readonly args: readonly string[];
  /** Becomes 1 once the reply to what the worker wants fetched is in `replies`. */
  readonly replied: Int32Array<SharedArrayBuffer>;
  readonly replies: MessagePort;
}

/** What a worker tells. */
type Told =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'fetch'; readonly line: string }
  | { readonly kind: 'answered'; readonly failed: ReturnType<typeof answerOneByOne> };

/** The program knows paths with slashes only, which Windows takes too. */
const slashes = (path: string): string => (process.platform === 'win32' ? path.replaceAll('\\', '/') : path);

/** Hands requests to workers, and fetches files for them. */
function control(): void {
  const requests = readFileSync(0, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const module = new WebAssembly.Module(readFileSync(new URL(`${NAME}.wasm`, import.meta.url)));
  const servers = new Servers();
  let isFailed = false;
  for (let started = 0; started < Math.min(WORKERS, requests.length); started += 1) {
    const replied = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const { port1, port2: replies } = new MessageChannel();
    const args = [NAME, ...process.argv.slice(2).map(slashes)];
    const given: Given = { module, args, replied, replies };
    const worker = new Worker(new URL(import.meta.url), { workerData: given, transferList: [replies] });
    const next = (): void => {
      const request = requests.shift();
      if (request !== undefined) {
        worker.postMessage(request);
        return;
      }
      port1.close();
      worker.unref();
    };
    const files: string[] = [];
    worker.on('message', (told: Told) => {
      if (told.kind === 'line') print(1, `${told.line}\n`);
      else if (told.kind === 'fetch')
        void servers.fetch(told.line, files).then((failure) => {
          port1.postMessage(JSON.stringify(failure));
          Atomics.store(replied, 0, 1);
          Atomics.notify(replied, 0);
        });
      else {
        // A run that was ended by a damaged PDB leaves them behind.
        for (const file of files.splice(0)) rmSync(file, { force: true });
        if (told.failed !== null) {
          requests.length = 0;
          if (!isFailed) print(2, `${told.failed.said}\n`);
          isFailed = true;
          process.exitCode = told.failed.status;
        }
        next();
      }
    });
    next();
  }
}

/** The servers that files are fetched from. */
class Servers {
  /** Those that could not be reached, by address: each is waited for once. */
  readonly #unreachable = new Set<string>();

  /** Fetches a file; its path is added to `files` before. Why there is none; null: it is there. */
  async fetch(line: string, files: string[]): Promise<FetchFailure | null> {
    const { module, fetch } = readFetch(line);
    const file = systemPath(fetch.file);
    files.push(file);
    if (this.#unreachable.has(fetch.server)) return 'not_reached_before';
    const { failure, reached } = await fetchFile({ ...fetch, file }, (bytes, totalBytes) => {
      const download = { url: fetch.url, bytes, total_bytes: totalBytes };
      print(1, `${JSON.stringify({ module, download })}\n`);
    });
    if (!reached) this.#unreachable.add(fetch.server);
    return failure;
  }
}

/** Answers requests as they come. */
function work({ module, args, replied, replies }: Given, tell: (told: Told) => void): void {
  parentPort?.on('message', (request: string) => {
    const failed = answerOneByOne(
      {
        ...{ module, args },
        environment: { PWD: slashes(process.cwd()), TMPDIR: slashes(tmpdir()) },
        files: nodeFiles,
        fillRandom: (bytes) => void randomFillSync(bytes),
        fetch(line) {
          Atomics.store(replied, 0, 0);
          tell({ kind: 'fetch', line });
          Atomics.wait(replied, 0, 0);
          return String(receiveMessageOnPort(replies)?.message);
        },
      },
      [request],
      (line) => tell({ kind: 'line', line }),
    );
    tell({ kind: 'answered', failed });
  });
}

if (isMainThread) control();
else work(workerData as Given, (told) => parentPort?.postMessage(told));
