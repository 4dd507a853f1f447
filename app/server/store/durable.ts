import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Entries in the making have this prefix; what is left of them after a crash is rubbish. */
export const PARTIAL = 'partial-';

/** A path in `dir` at which there is nothing yet. */
export const partialPath = (dir: string): string => join(dir, PARTIAL + randomBytes(8).toString('hex'));

/** Makes a file's bytes, or the names in a folder, outlast a loss of power. */
export async function sync(path: string): Promise<void> {
  // Windows opens no folder as a file, and journals renames itself.
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (process.platform === 'win32') return null;
    throw error;
  });
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

/** Writes a file that is there whole or as it was before, and outlasts a loss of power. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const partial = partialPath(dirname(path));
  try {
    const handle = await open(partial, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameDurably(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Renames a file or folder; the new name outlasts a loss of power. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await sync(dirname(to));
}

/** What an error of the file system says that only a full disk or a quota of the system says. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether there is no room for what was to be written. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && FULL.has(error.code);
}
