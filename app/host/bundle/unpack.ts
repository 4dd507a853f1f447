import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { readState } from '../../../shared/link/index.ts';
import { OpenError, type OpenOptions } from '../api.ts';
import { contentHash } from '../content-hash.ts';
import { withBundle } from './read.ts';

/** A bundle whose trace lies unpacked on the disk. */
export interface UnpackedBundle {
  /** Of the trace's first file. */
  readonly path: string;
  /** How its trace is to be opened, by what the bundle says. */
  readonly options: Pick<OpenOptions, 'part' | 'with' | 'expected'>;
  /** The files of each trace that its place compares with this one. */
  readonly others: readonly (readonly string[])[];
  /** The state that it holds, as JSON; a stranger's. */
  readonly state: unknown;
}

/** How many unpacked bundles stay; one used so recently may be open. */
const KEPT = 3;
const IN_USE_MS = 3_600_000;

/** Unpacked bundles on disk, a folder each by content; a folder appears whole by one rename. */
export class Bundles {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Unpacks a bundle, unless it is there already. Aborting leaves nothing half made. */
  async unpack(path: string, { part, signal, onProgress }: OpenOptions): Promise<UnpackedBundle> {
    const { size } = await stat(path).catch(() => {
      throw new OpenError('file', `${path}: no such file`);
    });
    const report = (fraction: number): void =>
      onProgress?.({ stage: 'hash', fraction: Math.min(1, fraction) });
    const key = await contentHash(path, {
      ...(signal && { signal }),
      onRead: (bytes) => report(bytes / size / 2),
    });
    return withBundle(path, async (contents) => {
      const folder = join(this.#dir, key);
      if (!(await touch(folder))) {
        const partial = `${folder}-${randomBytes(8).toString('hex')}`;
        let done_bytes = 0;
        const onWritten = (bytes: number): void => {
          done_bytes += bytes;
          report(0.5 + done_bytes / contents.trace_bytes / 2);
        };
        try {
          await contents.unpack(partial, { signal, onWritten });
          // Another process may have been first, and its folder is as good.
          await rename(partial, folder).catch(async (error: unknown) => {
            if (!(await touch(folder))) throw error;
          });
        } finally {
          await rm(partial, { recursive: true, force: true });
        }
        await this.#evict(key);
      }
      const [first = '', ...others] = contents.files;
      const { trace } = readState(contents.state).state;
      const asSaid = part === undefined ? { part: trace?.part, expected: trace?.id } : { part };
      return {
        path: join(folder, first),
        options: { with: others.map((name) => join(folder, name)), ...asSaid },
        others: contents.others.map((of) => of.map((name) => join(folder, name))),
        state: contents.state,
      };
    });
  }

  async #evict(kept: string): Promise<void> {
    const now = Date.now();
    const folders = await Promise.all(
      (await readdir(this.#dir)).map(async (name) => {
        const usedMs = await stat(join(this.#dir, name)).then(
          ({ mtimeMs }) => mtimeMs,
          () => now,
        );
        return { name, usedMs };
      }),
    );
    const old = folders.sort((a, b) => b.usedMs - a.usedMs).slice(KEPT);
    for (const { name, usedMs } of old) {
      if (name !== kept && now - usedMs > IN_USE_MS)
        await rm(join(this.#dir, name), { recursive: true, force: true });
    }
  }
}

/** Whether a folder is there; it is now the one used last. */
async function touch(folder: string): Promise<boolean> {
  const now = new Date();
  await mkdir(join(folder, '..'), { recursive: true });
  return utimes(folder, now, now).then(
    () => true,
    () => false,
  );
}
