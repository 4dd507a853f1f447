/** The jobs of a worker that reads a bundle of the user's, or writes one. */
import { MemoryStore, type ByteStore } from './byte-store.ts';
import type { BytesRead, FileCalls, Unpacked } from './job.ts';
import { privateFiles, writtenTo } from './private-files.ts';
import { withBundle, writeBundle } from './bundle-zip.ts';

/** Files that are unpacked in the private file system; more are held in memory. */
const PRIVATE_FILES_MAX = 14;

type OnRead = (read: BytesRead) => void;

/** Unpacks the files of a bundle's recording, and of those that are compared with it. */
export async function unpack(
  { file, folder }: FileCalls['unpack']['given'],
  onRead: OnRead,
): Promise<Unpacked> {
  const name = file.path.split('/').at(-1) ?? file.path;
  return withBundle(name, file.blob, async ({ state, files, others, trace_bytes }) => {
    const listed = [...files, ...others.flat()];
    const stores = await privateFiles(folder, Math.min(listed.length, PRIVATE_FILES_MAX));
    const all = listed.map((_, at): ByteStore => stores[at] ?? new MemoryStore());
    for (const [at, { entry }] of listed.entries()) {
      let written_bytes = 0;
      for await (const part of entry.read()) {
        all[at]?.write(part, written_bytes);
        written_bytes += part.length;
        onRead({ bytes: part.length, of: trace_bytes });
      }
    }
    for (const store of stores) store.close();
    const unpacked = await Promise.all(
      all.map(async (store, at) => {
        const { blob } = await writtenTo(store, folder);
        return { name: listed[at]?.name ?? '', blob };
      }),
    );
    const take = (of: readonly unknown[]) => unpacked.splice(0, of.length);
    return { state, files: take(files), others: others.map(take) };
  });
}

/** Writes a bundle. */
export async function pack({ folder, ...parts }: FileCalls['pack']['given'], onRead: OnRead): Promise<Blob> {
  const stores = await privateFiles(folder, 1);
  const store: ByteStore = stores[0] ?? new MemoryStore();
  const of = parts.files.reduce((sum, { blob }) => sum + blob.size, 0);
  const into = new WritableStream<Uint8Array>({ write: (part) => store.write(part, store.sizeBytes()) });
  await writeBundle(parts, into, (bytes) => onRead({ bytes, of }));
  for (const each of stores) each.close();
  const { blob } = await writtenTo(store, folder);
  return blob;
}
