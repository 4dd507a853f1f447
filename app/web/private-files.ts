/** Files of the origin's private file system that a worker writes at once, for a job. */
import { MemoryStore, PrivateFileStore, type ByteStore } from './byte-store.ts';

/** The folder of all kept traces. */
export const TRACES = 'traces';

async function folderOf(name: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  const traces = await root.getDirectoryHandle(TRACES, { create: true });
  return traces.getDirectoryHandle(name, { create: true });
}

/** Files in a folder of the kept traces that can be written at once; none where the browser has none, or `folder` is null. */
export async function privateFiles(folder: string | null, count: number): Promise<PrivateFileStore[]> {
  if (folder === null) return [];
  try {
    const dir = await folderOf(folder);
    const names = Array.from({ length: count }, (_, at) => String(at));
    return await Promise.all(
      names.map(async (name) => {
        const handle = await dir.getFileHandle(name, { create: true });
        return new PrivateFileStore(name, await handle.createSyncAccessHandle());
      }),
    );
  } catch {
    return [];
  }
}

/** What was written to a store, once it is closed. */
export interface Written {
  /** Its name in the folder; null if it is in memory. */
  readonly stored: string | null;
  readonly blob: Blob;
}

/** What was written to a store of {@link privateFiles}, which is closed, or to one in memory. */
export async function writtenTo(store: ByteStore, folder: string | null): Promise<Written> {
  const memory = store instanceof PrivateFileStore ? store.memory : store;
  if (memory instanceof MemoryStore) return { stored: null, blob: memory.blob() };
  if (!(store instanceof PrivateFileStore) || folder === null) throw new Error('no such store');
  const handle = await (await folderOf(folder)).getFileHandle(store.name);
  return { stored: store.name, blob: await handle.getFile() };
}
