import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openFileSource } from '../../shared/columns/file-source.ts';
import { lendColumns } from '../../shared/engine/lent-columns.ts';
import { openArrowFolder } from '../../shared/tables/arrow-folder.ts';

const CHUNK_BYTES = 1 << 20;

/**
 * Writes the tables of a recording as one SQLite database. `writeTables` writes their Arrow files into the folder that it is given, which is
 * gone afterwards. The database has its name only once it is whole. Rejects as `writeTables` does, and where it cannot be written.
 */
export async function exportDatabase<R>(
  output: string,
  writeTables: (folder: string) => Promise<R>,
  signal?: AbortSignal,
): Promise<R & { readonly output_bytes: number }> {
  const work = await mkdtemp(join(dirname(output), `.${basename(output)}-`));
  try {
    const folder = join(work, 'tables');
    const report = await writeTables(folder);
    const written = join(work, 'database');
    const output_bytes = await writeDatabase(folder, written, signal);
    await rename(written, output);
    return { ...report, output_bytes };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Writes the pages of the database that the Arrow files of a folder make; gives its size in bytes. */
async function writeDatabase(folder: string, path: string, signal?: AbortSignal): Promise<number> {
  const tables = openArrowFolder(folder);
  tables.close();
  const columns = lendColumns(tables.files, openFileSource);
  const file = await open(path, 'wx');
  try {
    const { database } = columns;
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let at = 0; at < database.sizeBytes; at += CHUNK_BYTES) {
      signal?.throwIfAborted();
      const count = database.read(chunk.subarray(0, database.sizeBytes - at), at);
      await file.write(chunk, 0, count, at);
    }
    return database.sizeBytes;
  } finally {
    await file.close();
    columns.close();
  }
}
