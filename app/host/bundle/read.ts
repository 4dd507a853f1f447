import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as yauzl from 'yauzl';
import { messageOf } from '../../../shared/model/index.ts';
import { OpenError } from '../api.ts';
import { checkCount, readContents, wrong, type Zip, type ZipEntry } from './contents.ts';

/** What is in a bundle, before anything of it is unpacked. */
export interface BundleContents {
  /** The state of a link, as JSON; a stranger's. */
  readonly state: unknown;
  /** The names of the recording's files, in its order. */
  readonly files: readonly string[];
  /** Those of each trace that the place compares with it, as paths within the folder that they are unpacked into. */
  readonly others: readonly (readonly string[])[];
  /** Of all files of all traces, unpacked. */
  readonly trace_bytes: number;
  /** Unpacks the files of all traces into a new folder. */
  unpack(folder: string, options: UnpackOptions): Promise<void>;
}

/** Progress and cancel of unpacking. */
export interface UnpackOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onWritten?: (bytes: number) => void;
}

/** An entry that Node reads. */
interface NodeEntry extends ZipEntry {
  open(): Promise<Readable>;
}

/** Reads what is in a bundle, lets `use` have it, and closes it. Rejects with `OpenError` if it is none that may be opened. */
export async function withBundle<T>(path: string, use: (contents: BundleContents) => Promise<T>): Promise<T> {
  const zip = await openZip(path).catch((error: unknown) => {
    throw wrong(path, `no zip that can be read: ${messageOf(error)}`);
  });
  try {
    const { files, others, ...contents } = await readContents(path, await list(path, zip));
    return await use({
      ...contents,
      files: files.map(({ name }) => name),
      others: others.map((of) => of.map(({ entry }) => entry.name)),
      async unpack(folder, { signal, onWritten }) {
        const all = [
          ...files.map(({ name, entry }) => ({ path: name, entry })),
          ...others.flat().map(({ entry }) => ({ path: entry.name, entry })),
        ];
        for (const { path: inside, entry } of all) {
          await mkdir(dirname(join(folder, inside)), { recursive: true });
          const counter = new Transform({
            transform(chunk: Buffer, _encoding, done) {
              onWritten?.(chunk.length);
              done(null, chunk);
            },
          });
          const target = createWriteStream(join(folder, inside), { flags: 'wx' });
          await pipeline(await entry.open(), counter, target, { ...(signal && { signal }) });
        }
      },
    });
  } catch (error) {
    if (error instanceof OpenError || isAbort(error) || isSystem(error)) throw error;
    throw wrong(path, messageOf(error));
  } finally {
    zip.close();
  }
}

async function openZip(path: string): Promise<yauzl.ZipFile> {
  // Loaded only where a bundle is opened: most commands open none.
  const yauzl = await import('yauzl');
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, strictFileNames: true };
    yauzl.open(path, options, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

async function list(path: string, zip: yauzl.ZipFile): Promise<Zip<NodeEntry>> {
  checkCount(path, zip.entryCount);
  const entries = (await listEntries(zip)).map((entry): NodeEntry => {
    const open = (): Promise<Readable> => openEntry(zip, entry);
    return {
      name: entry.fileName,
      bytes: entry.uncompressedSize,
      packed_bytes: entry.compressedSize,
      open,
      async *read() {
        yield* (await open()) as AsyncIterable<Buffer>;
      },
    };
  });
  return { bytes: zip.fileSize, entries };
}

async function listEntries(zip: yauzl.ZipFile): Promise<yauzl.Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: yauzl.Entry[] = [];
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', reject);
    zip.readEntry();
  });
}

/** What an entry holds. It ends with an error if it holds more or less than it declared. */
function openEntry(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Whether it is the system that refused, as where the disk is full; a zip that is broken says so with codes of its own. */
function isSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
