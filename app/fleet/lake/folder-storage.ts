import { copyFile, link, mkdir, readFile, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isFull, partialPath, renameDurably, sync, writeDurably } from '../../server/store/durable.ts';
import { LakeError } from './lake-error.ts';
import type { LakeStorage, StoredFile } from './storage.ts';

/** Files in the making; no engine looks into a folder whose name begins so. */
const MAKING = '.partial';

/** A lake in a folder of this machine. */
export class FolderStorage implements LakeStorage {
  readonly address: string;

  constructor(folder: string) {
    this.address = folder;
  }

  async list(prefix: string): Promise<ReadonlyMap<string, StoredFile>> {
    const found = new Map<string, StoredFile>();
    // Only whole folders are asked for.
    const top = join(this.address, prefix.slice(0, prefix.lastIndexOf('/') + 1));
    for (const entry of await this.#told(readdir(top, { recursive: true, withFileTypes: true }), [])) {
      if (!entry.isFile()) continue;
      const at = join(entry.parentPath, entry.name);
      const path = relative(this.address, at).split(sep).join('/');
      if (!path.startsWith(prefix)) continue;
      const stats = await stat(at).catch(() => null);
      // One that was removed meanwhile is not there.
      if (stats !== null) found.set(path, { bytes: stats.size, atMs: stats.mtimeMs });
    }
    return found;
  }

  read(path: string): Promise<string | null> {
    return this.#told(readFile(this.#at(path), 'utf8'), null);
  }

  async write(path: string, text: string): Promise<void> {
    await this.#writing(async () => {
      await mkdir(dirname(this.#at(path)), { recursive: true });
      // The partial file lies in the same folder. Its name is not the name of a manifest.
      await writeDurably(this.#at(path), text);
    });
  }

  async create(path: string, text: string): Promise<boolean> {
    return this.#writing(async () => {
      const making = await this.#making();
      try {
        await writeDurably(making, text);
        await mkdir(dirname(this.#at(path)), { recursive: true });
        // Unlike a rename, a link does not take the place of what is there.
        await link(making, this.#at(path));
        await sync(dirname(this.#at(path)));
        return true;
      } catch (error) {
        if (hasCode(error, 'EEXIST')) return false;
        throw error;
      } finally {
        await rm(making, { force: true });
      }
    });
  }

  async put(path: string, from: string): Promise<void> {
    await this.#writing(async () => {
      const making = await this.#making();
      try {
        await copyFile(from, making);
        await sync(making);
        await mkdir(dirname(this.#at(path)), { recursive: true });
        await renameDurably(making, this.#at(path));
      } finally {
        await rm(making, { force: true });
      }
    });
  }

  async remove(path: string): Promise<void> {
    await this.#writing(() => rm(this.#at(path), { force: true }));
  }

  async fetch(path: string): Promise<string | null> {
    const at = this.#at(path);
    const stats = await this.#told(stat(at), null);
    return stats === null ? null : at;
  }

  localPath(path: string): string {
    return this.#at(path);
  }

  #at(path: string): string {
    return join(this.address, ...path.split('/'));
  }

  async #making(): Promise<string> {
    const folder = join(this.address, MAKING);
    await mkdir(folder, { recursive: true });
    return partialPath(folder);
  }

  /** What is read, or `missing` where there is nothing; else an error of ours. */
  async #told<T>(work: Promise<T>, missing: T): Promise<T> {
    return work.catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return missing;
      throw this.#failure('read', error);
    });
  }

  async #writing<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((error: unknown) => {
      throw this.#failure('written', error);
    });
  }

  #failure(what: 'read' | 'written', error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof LakeError) return error;
    if (isFull(error))
      return new LakeError(
        `${this.address}: the disk is full; what the lake lists is whole: make room and run it again`,
      );
    if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM') || hasCode(error, 'EROFS'))
      return new LakeError(`${this.address}: no right to have files ${what} there: ${error.message}`);
    if (hasCode(error, 'ENOTDIR')) return new LakeError(`${this.address}: is no folder`);
    return error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
