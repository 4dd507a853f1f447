import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as v from 'valibot';
import type { RecentTrace } from './api.ts';
import { cacheDir } from './locate.ts';

const ID = /^[0-9a-f]{64}$/;
const place = v.object({ path: v.string() });

/**
 * Where the traces of lakes lie on this machine, as they were added. A lake itself keeps no paths: who may read it need not know them. Each
 * is a file of its own, so that many may be noted at a time.
 */
export class TracePlaces {
  readonly #folder: string;

  /** In a folder that only this user reads. */
  constructor(folder = join(cacheDir(), 'lake-traces')) {
    this.#folder = folder;
  }

  /** Notes the place of a trace. One that cannot be noted costs its user a question, no more. */
  async note(id: string, path: string): Promise<void> {
    const file = join(this.#folder, id);
    const partial = `${file}.${randomBytes(8).toString('hex')}`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(partial, JSON.stringify({ path: resolve(path) }), { mode: 0o600 });
      await rename(partial, file);
    } catch {
      await rm(partial, { force: true });
    }
  }

  /** The trace by its id, where it was noted and its file is still there. */
  async find(id: string): Promise<RecentTrace | null> {
    if (!ID.test(id)) return null;
    try {
      const { path } = v.parse(place, JSON.parse(await readFile(join(this.#folder, id), 'utf8')));
      const { size } = await stat(path);
      return { id, name: basename(path), path, sizeBytes: size, openedAtMs: 0 };
    } catch {
      return null;
    }
  }

  /** Notes nothing of a trace any more. */
  async forget(id: string): Promise<void> {
    await rm(join(this.#folder, id), { force: true });
  }
}
