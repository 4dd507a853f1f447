/** The worker that reads the files of the user: for their hashes, with the converter, and as bundles. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { pagePort, serve } from '../../shared/border/index.ts';
import { OpenError } from '../host/api.ts';
import { ERROR_FORMS } from '../host/error-forms.ts';
import { answerOneByOne } from '../host/symbols/one-by-one.ts';
import { lines } from '../../shared/wasi/lines.ts';
import { TABLE_NAMES } from '../../shared/tables/tables.ts';
import { runProgram } from '../../shared/wasi/run-program.ts';
import { MemoryStore, type ByteStore } from './byte-store.ts';
import type { BytesRead, FileCalls, GivenFile, WrittenFile } from './job.ts';
import { PageFiles } from './page-files.ts';
import { privateFiles, writtenTo } from './private-files.ts';

/** Files that the converter may have made at one time in the private file system: each table, the trace, and some to spare. More are held in memory. */
const PRIVATE_FILES_MAX = TABLE_NAMES.length + 3;
const HASHED_BYTES = 4 << 20;
const HASHED_WHOLE_BYTES_MAX = 512 << 20;

serve<FileCalls>(
  pagePort(),
  {
    hash: (files, { note }) => hash(files, note),
    convert: (given, { note }) => convert(given, note),
    symbols: (given, { note }) => symbols(given, note),
    // Few open bundles: what reads them is loaded when one is opened.
    unpack: async (given, { note }) => (await import('./bundle-jobs.ts')).unpack(given, note),
    pack: async (given, { note }) => (await import('./bundle-jobs.ts')).pack(given, note),
  },
  { errors: ERROR_FORMS },
);

async function hash(files: readonly GivenFile[], note: (read: BytesRead) => void): Promise<string[]> {
  const hashes: string[] = [];
  const of = files.reduce((sum, { blob }) => sum + blob.size, 0);
  for (const { blob } of files) hashes.push(await hashOf(blob, (bytes) => note({ bytes, of })));
  return hashes;
}

/** The browser hashes several times as fast, but only what is in memory whole, and not without HTTPS. */
async function hashOf(blob: Blob, onRead: (bytes: number) => void): Promise<string> {
  if (blob.size <= HASHED_WHOLE_BYTES_MAX && isSecureContext) {
    const hash = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
    onRead(blob.size);
    return bytesToHex(new Uint8Array(hash));
  }
  const hashing = sha256.create();
  for (let at = 0; at < blob.size; at += HASHED_BYTES) {
    const part = await blob.slice(at, at + HASHED_BYTES).arrayBuffer();
    hashing.update(new Uint8Array(part));
    onRead(part.byteLength);
  }
  return bytesToHex(hashing.digest());
}

async function convert(
  { files, args, wasmUrl, folder }: FileCalls['convert']['given'],
  note: (note: FileCalls['convert']['note']) => void,
): Promise<FileCalls['convert']['answer']> {
  const module = await WebAssembly.compile(await (await fetch(wasmUrl)).arrayBuffer());
  const stores = await privateFiles(folder, PRIVATE_FILES_MAX);
  const free = [...stores];
  const made = new PageFiles(files, (): ByteStore => free.shift() ?? new MemoryStore());
  const decoder = new TextDecoder();
  const stderr = lines((said) => note({ said }));
  const status = runProgram({
    module,
    args: ['outrank-convert', ...args],
    environment: { PWD: '/', TMPDIR: '/tmp' },
    files: made,
    stdout: (bytes) => note({ printed: decoder.decode(bytes, { stream: true }) }),
    stderr,
    // Rust asks for a few bytes at a time; the browser gives 65,536 at most.
    fillRandom: (bytes) => void crypto.getRandomValues(bytes),
    isTerminal: false,
  });
  for (const store of stores) store.close();
  const written = await Promise.all(
    made.made().map(([path, store]): Promise<WrittenFile> => writtenFile(path, store, folder)),
  );
  return { status, written };
}

/** Answers by lines, as the reader of symbols does. */
async function symbols(
  { files, wasmUrl, requests }: FileCalls['symbols']['given'],
  note: (line: string) => void,
): Promise<void> {
  const module = await WebAssembly.compile(await (await fetch(wasmUrl)).arrayBuffer());
  for (const { line, folders } of requests) {
    const args = ['outrank-symbols', '--path', folders.join(';'), '--cache', '/tmp'];
    const program = {
      ...{ module, args },
      environment: { PWD: '/', TMPDIR: '/tmp' },
      files: new PageFiles(files, () => new MemoryStore()),
      fillRandom: (bytes: Uint8Array<ArrayBuffer>) => void crypto.getRandomValues(bytes),
    };
    const failed = answerOneByOne(program, [line], note);
    if (failed !== null) throw new OpenError('symbols', failed.said.trim());
  }
}

async function writtenFile(path: string, store: ByteStore, folder: string | null): Promise<WrittenFile> {
  return { path, ...(await writtenTo(store, folder)) };
}
