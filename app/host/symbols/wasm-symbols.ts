/**
 * The script `outrank-symbols.mjs`: `node outrank-symbols.mjs ARGUMENT…` does what the binary `outrank-symbols` does, by the
 * WebAssembly module that lies beside it; but it asks no servers.
 */
import { randomFillSync } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { nodeFiles } from '../../../shared/wasi/node-files.ts';
import { answerOneByOne } from './one-by-one.ts';

const NAME = 'outrank-symbols';
/** The program knows paths with slashes only, which Windows takes too. */
const slashes = (path: string): string => (process.platform === 'win32' ? path.replaceAll('\\', '/') : path);

const failed = answerOneByOne(
  {
    module: new WebAssembly.Module(readFileSync(new URL(`${NAME}.wasm`, import.meta.url))),
    args: [NAME, ...process.argv.slice(2).map(slashes)],
    environment: { PWD: slashes(process.cwd()), TMPDIR: slashes(tmpdir()) },
    files: nodeFiles,
    fillRandom: (bytes) => void randomFillSync(bytes),
  },
  readFileSync(0, 'utf8')
    .split('\n')
    .filter((line) => line !== ''),
  (line) => print(1, `${line}\n`),
);
if (failed !== null) {
  print(2, failed.said);
  process.exitCode = failed.status;
}

function print(descriptor: number, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let done = 0; done < bytes.length;) {
    try {
      done += writeSync(descriptor, bytes, done);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      // Who reads is slow.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
