/** Bundles as a worker of the page reads and writes them: `app/host/bundle` says what is in one, zip.js reads and writes the zip. */
import {
  BlobReader,
  configure,
  TextReader,
  ZipReader,
  ZipWriter,
  type FileEntry,
} from '@zip.js/zip.js/lib/zip-core-native.js';
import { messageOf } from '../../shared/model/message.ts';
import { OpenError } from '../host/api.ts';
import { checkCount, readContents, wrong, type Contents, type ZipEntry } from '../host/bundle/contents.ts';
import { ENTRY_TIME } from '../host/bundle/entries.ts';

// Whoever calls is a worker already.
configure({ useWebWorkers: false });

const ENTRY = {
  lastModDate: ENTRY_TIME,
  extendedTimestamp: false,
  msDosCompatible: false,
  externalFileAttributes: (0o100_644 << 16) >>> 0,
} as const;

/** Reads what is in a bundle, and lets `use` have it. Rejects with `OpenError` if it is none that may be opened. */
export async function withBundle<T>(
  name: string,
  bundle: Blob,
  use: (contents: Contents<ZipEntry>) => Promise<T>,
): Promise<T> {
  const zip = new ZipReader(new BlobReader(bundle));
  try {
    return await use(await readContents(name, { bytes: bundle.size, entries: await list(name, zip) }));
  } catch (error) {
    throw error instanceof OpenError ? error : wrong(name, messageOf(error));
  } finally {
    await zip.close();
  }
}

async function list(name: string, zip: ZipReader<unknown>): Promise<readonly ZipEntry[]> {
  const entries: ZipEntry[] = [];
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      checkCount(name, entries.length + 1);
      if (entry.directory) throw wrong(name, `“${entry.filename}” is a folder`);
      entries.push({
        name: entry.filename,
        bytes: entry.uncompressedSize,
        packed_bytes: entry.compressedSize,
        read: () => bytesOf(entry),
      });
    }
  } catch (error) {
    if (error instanceof OpenError) throw error;
    throw wrong(name, `no zip that can be read: ${messageOf(error)}`);
  }
  return entries;
}

/** What an entry holds; ends with an error if it is more or less than it declared. */
async function* bytesOf(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const unpacked = entry.getData(writable, { checkSignature: true });
  // The stream does not end by itself where unpacking fails before it begins.
  const failed = new Promise<never>((_, reject) => void unpacked.catch(reject));
  failed.catch(() => undefined);
  const reader = readable.getReader();
  let left_bytes = entry.uncompressedSize;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), failed]);
      if (done) break;
      left_bytes -= value.length;
      if (left_bytes < 0) throw new Error(`${entry.filename}: too many bytes`);
      yield value;
    }
    await unpacked;
    if (left_bytes > 0) throw new Error(`${entry.filename}: too few bytes`);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** What a bundle is made of. */
export interface BundleParts {
  /** The entries that are texts. */
  readonly texts: readonly (readonly [name: string, text: string])[];
  /** The entries of the recording's files. */
  readonly files: readonly { readonly name: string; readonly blob: Blob }[];
}

/** Writes a bundle to a stream. The same parts give the same bytes. */
export async function writeBundle(
  { texts, files }: BundleParts,
  into: WritableStream<Uint8Array>,
  onRead: (bytes: number) => void,
): Promise<void> {
  const zip = new ZipWriter(into, { keepOrder: true });
  for (const [name, text] of texts) await zip.add(name, new TextReader(text), ENTRY);
  for (const { name, blob } of files) {
    let told_bytes = 0;
    await zip.add(name, new BlobReader(blob), {
      ...ENTRY,
      onprogress(bytes) {
        onRead(bytes - told_bytes);
        told_bytes = bytes;
        return undefined;
      },
    });
  }
  await zip.close();
}
