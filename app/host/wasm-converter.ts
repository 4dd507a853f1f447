/**
 * The script `outrank-convert.mjs`: `node outrank-convert.mjs ARGUMENT…` does what the binary `outrank-convert` does, by the
 * WebAssembly module in the same folder.
 */
import { randomFillSync } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isatty } from 'node:tty';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { Files } from '../../shared/wasi/files.ts';
import { nodeFiles } from '../../shared/wasi/node-files.ts';
import { print } from '../../shared/wasi/node-print.ts';
import { runProgram } from '../../shared/wasi/run-program.ts';

const NAME = 'outrank-convert';
/** As the binary ends when it is interrupted. */
const STOPPED = 2;

/** What the worker tells. */
type Told = { readonly created: string } | { readonly status: number };

if (isMainThread) control();
else run(workerData as readonly string[], (told) => parentPort?.postMessage(told));

/** Runs the program in a worker, so that an interrupt finds somebody who clears up. */
function control(): void {
  const worker = new Worker(new URL(import.meta.url), { workerData: process.argv.slice(2) });
  const created: string[] = [];
  worker.on('message', (told: Told) => {
    if ('created' in told) created.push(told.created);
    else process.exitCode = told.status;
  });
  const stop = (): void => {
    void worker.terminate().then(() => {
      for (const path of created) rmSync(path, { force: true });
      print(2, `${NAME}: stopped\n`);
      process.exit(STOPPED);
    });
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

function run(args: readonly string[], tell: (told: Told) => void): void {
  const slashes = process.platform === 'win32' ? withSlashes : (path: string): string => path;
  const status = runProgram({
    module: new WebAssembly.Module(readFileSync(new URL(`${NAME}.wasm`, import.meta.url))),
    args: [NAME, ...args.map(slashes)],
    environment: { PWD: slashes(process.cwd()), TMPDIR: slashes(tmpdir()) },
    files: telling(nodeFiles, (path) => tell({ created: path })),
    stdout: (bytes) => print(1, bytes),
    stderr: (bytes) => print(2, bytes),
    fillRandom: (bytes) => void randomFillSync(bytes),
    isTerminal: isatty(2),
  });
  tell({ status });
}

/** The program knows paths with slashes only, which Windows takes too. Nothing else that it is told has backslashes. */
function withSlashes(argument: string): string {
  return argument.replaceAll('\\', '/');
}

/** Files. `tell` gets the paths of those that are made anew under a name of their own: these are temporary. */
function telling(files: Files, tell: (path: string) => void): Files {
  return {
    ...files,
    open(path, mode) {
      const file = files.open(path, mode);
      if (mode.isNew) tell(path);
      return file;
    },
  };
}
